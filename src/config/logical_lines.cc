#include "config/logical_lines.h"

namespace millrace {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f';
}

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

}  // namespace

bool LogicalLines::next(std::string& text, std::size_t& line) {
  for (;;) {
    skip_blanks_and_line_ends();
    if (at_ == bytes_.size()) {
      return false;
    }
    if (bytes_[at_] == '#' || bytes_[at_] == '!') {
      skip_to_line_end();
      continue;
    }
    line = line_;
    text.clear();
    read(text);
    if (!text.empty()) {
      return true;
    }
  }
}

void LogicalLines::skip_blanks_and_line_ends() {
  while (at_ < bytes_.size() && (is_blank(bytes_[at_]) || is_line_end(bytes_[at_]))) {
    if (is_line_end(bytes_[at_])) {
      take_line_end();
    } else {
      ++at_;
    }
  }
}

void LogicalLines::skip_to_line_end() {
  while (at_ < bytes_.size() && !is_line_end(bytes_[at_])) {
    ++at_;
  }
}

// CR LF is one line end.
void LogicalLines::take_line_end() {
  at_ += bytes_.substr(at_).starts_with("\r\n") ? 2 : 1;
  ++line_;
}

// Appends up to the end of the logical line. A line that holds nothing but the backslash leaves
// `text` empty, and what follows is a line of its own, comments included, as in Java 11 and on.
void LogicalLines::read(std::string& text) {
  bool escaped = false;  // By an odd number of backslashes.
  while (at_ < bytes_.size()) {
    const char c = bytes_[at_];
    if (!is_line_end(c)) {
      text += c;
      escaped = c == '\\' && !escaped;
      ++at_;
      continue;
    }
    if (!escaped) {
      return;
    }
    text.pop_back();
    escaped = false;
    take_line_end();
    if (text.empty()) {
      return;
    }
    while (at_ < bytes_.size() && is_blank(bytes_[at_])) {
      ++at_;
    }
  }
  if (escaped) {
    text.pop_back();
  }
}

}  // namespace millrace
