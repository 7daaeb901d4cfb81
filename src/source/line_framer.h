// Finds the lines in what a read gave.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace millrace {

struct FramedLine {
  std::string_view text;  // Without its newline; never empty.
  bool cut = false;       // It was longer: what follows comes as a line of its own.
};

// Lines end in '\n'. Empty ones are passed over, NUL and any other bytes are kept. A line of
// `longest` bytes or more is cut there, so that a torn tail is always shorter (Flume 1.11, classes
// SyslogUtils and MultiportSyslogTCPSource.LineSplitter). Where lines end does not depend on how
// reads cut the stream. Threads: any, it never changes.
class LineFramer {
 public:
  explicit LineFramer(std::size_t longest) : longest_(longest) {}

  // The next line of `bytes`, which begins behind it afterwards; nothing when `bytes` holds only a
  // torn tail.
  std::optional<FramedLine> next(std::string_view& bytes) const {
    while (!bytes.empty()) {
      const std::size_t window = std::min(bytes.size(), longest_);
      const void* newline = std::memchr(bytes.data(), '\n', window);
      if (newline == nullptr) {
        return window < longest_ ? std::nullopt : take(bytes, window, true);
      }
      const auto length =
          static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data());
      if (length > 0) {
        const auto line = take(bytes, length, false);
        bytes.remove_prefix(1);
        return line;
      }
      bytes.remove_prefix(1);
    }
    return std::nullopt;
  }

  // What is left of `tail` when nothing follows any more: a line too, unless it is empty.
  std::size_t longest() const { return longest_; }

 private:
  static std::optional<FramedLine> take(std::string_view& bytes, std::size_t length, bool cut) {
    const FramedLine line{bytes.substr(0, length), cut};
    bytes.remove_prefix(length);
    return line;
  }

  const std::size_t longest_;
};

}  // namespace millrace
