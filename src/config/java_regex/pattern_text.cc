#include "config/java_regex/pattern_text.h"

#include "config/utf8.h"

namespace millrace::java_regex {
namespace {

bool is_blank(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool ends_comment(char32_t c, const Flags& flags) {
  if (flags.unix_lines) {
    return c == '\n';
  }
  return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

}  // namespace

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

PatternText::PatternText(std::string_view utf8) {
  bool quoting = false;
  while (!utf8.empty()) {
    if (utf8.starts_with(quoting ? "\\E" : "\\Q")) {
      quoting = !quoting;
      utf8.remove_prefix(2);
      continue;
    }
    const char32_t c = take_code_point(utf8);
    characters_.push_back({c, quoting});
    if (c == '\\' && !quoting && !utf8.empty()) {  // What it escapes begins no quotation.
      characters_.push_back({take_code_point(utf8), false});
    }
  }
}

void PatternText::pass_blanks(const Flags& flags) {
  while (flags.comments && at_ < characters_.size() && !characters_[at_].quoted) {
    if (characters_[at_].c == '#') {
      while (at_ < characters_.size() && !ends_comment(characters_[at_].c, flags)) {
        ++at_;
      }
    } else if (is_blank(characters_[at_].c)) {
      ++at_;
    } else {
      return;
    }
  }
}

char32_t PatternText::peek(const Flags& flags) {
  pass_blanks(flags);
  return peek_raw();
}

char32_t PatternText::take(const Flags& flags) {
  pass_blanks(flags);
  return take_raw();
}

char32_t PatternText::peek_raw(std::size_t ahead) const {
  return at_ + ahead < characters_.size() ? characters_[at_ + ahead].c : kEnd;
}

char32_t PatternText::take_raw() {
  return at_ < characters_.size() ? characters_[at_++].c : kEnd;
}

bool PatternText::is_quoted() const {
  return at_ < characters_.size() && characters_[at_].quoted;
}

bool PatternText::at(char32_t c, const Flags& flags) {
  return peek(flags) == c && !is_quoted();
}

bool PatternText::take_if(char32_t c, const Flags& flags) {
  if (!at(c, flags)) {
    return false;
  }
  ++at_;
  return true;
}

Error PatternText::fault(std::string what) const {
  return bad_config(std::move(what) + " (at character " + std::to_string(at_) + ")");
}

}  // namespace millrace::java_regex
