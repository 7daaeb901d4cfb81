#include "config/json_cursor.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "config/utf8.h"

namespace millrace {

bool JsonCursor::accept(char wanted) {
  skip_blanks();
  if (at_ == json_.size() || json_[at_] != wanted) {
    return false;
  }
  ++at_;
  return true;
}

Result<> JsonCursor::expect(char wanted) {
  return accept(wanted) ? Result<>() : fault(fmt::format("'{}'", wanted));
}

Result<std::string> JsonCursor::text() {
  if (!accept('"')) {
    return fault("a text");
  }
  std::string value;
  for (; at_ < json_.size() && json_[at_] != '"'; ++at_) {
    if (json_[at_] != '\\') {
      value += json_[at_];
      continue;
    }
    Utf16Appender units(value);
    do {
      ++at_;
      TRY(escape(units));
    } while (json_.substr(at_).starts_with("\\"));
    units.finish();
    --at_;
  }
  if (at_ == json_.size()) {
    return fault("the end of a text");
  }
  ++at_;
  return value;
}

// Behind the backslash; leaves the position behind the escape.
Result<> JsonCursor::escape(Utf16Appender& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (at_ == json_.size()) {
    return fault("an escape");
  }
  if (const std::size_t which = kNames.find(json_[at_]); which != std::string_view::npos) {
    out.unit(static_cast<unsigned char>(kMeanings[which]));
    ++at_;
    return {};
  }
  const std::string_view digits = json_.substr(at_ + 1, 4);
  unsigned unit = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, unit, 16);
  if (json_[at_] != 'u' || digits.size() != 4 || error != std::errc() || stop != end) {
    return fault("an escape");
  }
  out.unit(unit);
  at_ += 5;
  return {};
}

Result<std::int64_t> JsonCursor::whole_number() {
  skip_blanks();
  std::int64_t value = 0;
  const char* const end = json_.data() + json_.size();
  const auto [stop, error] = std::from_chars(json_.data() + at_, end, value);
  if (error != std::errc() || stop == end) {
    return fault("a whole number");
  }
  at_ = static_cast<std::size_t>(stop - json_.data());
  return value;
}

std::string_view JsonCursor::bare_word() {
  skip_blanks();
  const std::size_t from = at_;
  const auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '+' || c == '.';
  };
  while (at_ < json_.size() && is_part(json_[at_])) {
    ++at_;
  }
  return json_.substr(from, at_ - from);
}

char JsonCursor::next() {
  skip_blanks();
  return at_ < json_.size() ? json_[at_] : '\0';
}

bool JsonCursor::at_end() {
  skip_blanks();
  return at_ == json_.size();
}

Error JsonCursor::fault(std::string_view wanted) const {
  return corrupt(fmt::format("byte {}: {} expected", at_, wanted));
}

void JsonCursor::skip_blanks() {
  at_ = std::min(json_.find_first_not_of(" \t\r\n", at_), json_.size());
}

}  // namespace millrace
