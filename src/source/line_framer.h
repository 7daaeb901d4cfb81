// Finds the lines in what a read gave.
#pragma once

#include <algorithm>
#include <cstring>
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

  // Sets `line` to the next line of `bytes`, which begins behind it afterwards; false when `bytes`
  // holds only a torn tail. (An optional line would be copied in larger pieces than it is written
  // in, for which the processor waits on its own stores.)
  bool next(std::string_view& bytes, FramedLine& line) const {
    while (!bytes.empty()) {
      const std::size_t window = std::min(bytes.size(), longest_);
      const void* newline = std::memchr(bytes.data(), '\n', window);
      if (newline == nullptr && window < longest_) {
        return false;
      }
      line.cut = newline == nullptr;
      line.text = bytes.substr(
          0, line.cut ? window
                      : static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data()));
      bytes.remove_prefix(line.text.size() + (line.cut ? 0 : 1));
      if (!line.text.empty()) {
        return true;
      }
    }
    return false;
  }

  // What is left of `tail` when nothing follows any more: a line too, unless it is empty.
  std::size_t longest() const { return longest_; }

 private:
  const std::size_t longest_;
};

}  // namespace millrace
