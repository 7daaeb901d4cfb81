// Ready lines of one hammer, whose numbers are rewritten where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/hammer/event_text.h"

namespace millrace {

// What the lines of a hammer look like. All have the same length.
struct LineShape {
  std::uint32_t hammer = 0;
  std::string run;
  std::string prefix;            // In front of the event: a syslog header, or nothing.
  std::size_t line_bytes = 300;  // Prefix and event, without the newline.
  bool words = false;            // Padding of random words; else the letter x.
};

// Threads: its sender's alone.
class LineBlock {
 public:
  // About `bytes` of lines, at least one.
  LineBlock(const LineShape& shape, std::size_t bytes);

  // Lines for first-time events numbered from `first`, each with its newline: at most `most`, and
  // at least one. The view holds until the next call. To ask again from the middle of what was
  // given costs nothing: lines that nobody wanted are not numbered twice.
  std::string_view lines(std::uint64_t first, std::size_t most);
  // One line that is sent again.
  std::string line_again(std::uint64_t number, unsigned copy) const;
  // Replaces the prefix of all lines by one of the same length.
  void set_prefix(std::string_view prefix);

  std::size_t line_bytes() const { return line_bytes_; }  // With the newline.

 private:
  char* slot(std::size_t i) { return block_.data() + i * line_bytes_; }
  void number_until(std::size_t end);

  std::size_t line_bytes_;
  std::size_t prefix_bytes_;
  std::size_t number_at_ = 0;  // Within a line.
  std::size_t copy_at_ = 0;
  std::size_t slots_;
  std::string block_;
  std::uint64_t base_ = 0;    // Number of slot 0.
  std::size_t numbered_ = 0;  // Slots [0, numbered_) carry base_ and on.
  char next_[kNumberDigits];  // Text of base_ + numbered_.
};

}  // namespace millrace
