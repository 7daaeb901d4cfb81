// Finds the messages in a syslog stream: lines, and messages behind a count of their bytes.
#pragma once

#include <cstddef>
#include <string_view>

#include "source/line_framer.h"

namespace millrace {

// Both framings of RFC 6587, told apart message by message: a count of up to seven digits and a
// blank in front of "<" and a digit begins a counted message, anything else is a line (LineFramer).
// So a line of a sender that ends its messages with newlines is what it is to Flume, unless it
// looks like a count and a priority.
//
// A counted message holds what it holds, newlines too; a newline at its very end is taken for the
// end of a line, as those senders mean it that count it, and so is one behind it. One of more than
// `longest` bytes comes in pieces, as a line does. A wrong count takes too little or too much, and
// what the next message begins with then is a line that is no syslog message: it goes on behind the
// next newline. Where messages end does not depend on how reads cut the stream.
//
// Threads: any, it never changes.
class SyslogFramer {
 public:
  // `takes_counts`: false for lines alone.
  SyslogFramer(std::size_t longest, bool takes_counts)
      : lines_(longest), takes_counts_(takes_counts) {}

  // Sets `line` to the next message of `bytes`, which begins behind it afterwards; false when
  // `bytes` holds only a torn tail, of less than `longest` bytes (or ten). `due` belongs to the
  // stream, is 0 at its begin, and says how many bytes the counted message lacks that `bytes` is
  // in.
  bool next(std::string_view& bytes, FramedLine& line, std::size_t& due) const {
    if (!takes_counts_ || (due == 0 && bytes.starts_with('<'))) {
      return lines_.next(bytes, line);
    }
    return next_of_either(bytes, line, due);
  }

  // What is left of `tail` when nothing follows any more: a message too, unless it is empty.
  static FramedLine last(std::string_view tail, std::size_t due) { return {tail, due > 0}; }

 private:
  bool next_of_either(std::string_view& bytes, FramedLine& line, std::size_t& due) const;
  bool take_counted(std::string_view& bytes, FramedLine& line, std::size_t& due) const;

  const LineFramer lines_;
  const bool takes_counts_;
};

}  // namespace millrace
