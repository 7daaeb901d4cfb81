#include "source/syslog/syslog_framer.h"

#include <algorithm>

#include "source/syslog/ascii.h"

namespace millrace {
namespace {

constexpr std::size_t kMostDigits = 7;

// What a message begins with.
struct Front {
  enum class Kind { kLine, kCount, kTorn };
  Kind kind = Kind::kLine;
  std::size_t head_size = 0;  // Of the count and its blank.
  std::size_t count = 0;
};

Front front_of(std::string_view bytes) {
  constexpr std::string_view kBegin = " <";
  const std::size_t digits = count_digits(bytes.substr(0, kMostDigits));
  const std::string_view behind = bytes.substr(digits);
  if (digits == 0 || bytes.front() == '0' || !kBegin.starts_with(behind.substr(0, kBegin.size()))) {
    return {};
  }
  if (behind.size() <= kBegin.size()) {
    return {Front::Kind::kTorn};
  }
  if (!is_digit(behind[kBegin.size()])) {
    return {};
  }
  return {Front::Kind::kCount, digits + 1, static_cast<std::size_t>(number_of(bytes, digits))};
}

std::string_view without_newline(std::string_view text) {
  if (text.ends_with('\n')) {
    text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  }
  return text;
}

}  // namespace

bool SyslogFramer::next_of_either(std::string_view& bytes, FramedLine& line,
                                  std::size_t& due) const {
  while (!bytes.empty()) {
    if (due > 0) {
      if (!take_counted(bytes, line, due)) {
        return false;
      }
      if (!line.text.empty()) {
        return true;
      }
    } else if (bytes.front() == '\n') {
      bytes.remove_prefix(1);
    } else {
      const Front front = front_of(bytes);
      if (front.kind == Front::Kind::kLine) {
        return lines_.next(bytes, line);
      }
      if (front.kind == Front::Kind::kTorn) {
        return false;
      }
      bytes.remove_prefix(front.head_size);
      due = front.count;
    }
  }
  return false;
}

// The message that lacks `due` bytes, or the next piece of it; false when `bytes` do not hold it.
bool SyslogFramer::take_counted(std::string_view& bytes, FramedLine& line, std::size_t& due) const {
  const std::size_t size = std::min(due, lines_.longest());
  if (bytes.size() < size) {
    return false;
  }
  line.cut = size < due;
  line.text = line.cut ? bytes.substr(0, size) : without_newline(bytes.substr(0, size));
  bytes.remove_prefix(size);
  due -= size;
  return true;
}

}  // namespace millrace
