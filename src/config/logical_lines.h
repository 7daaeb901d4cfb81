// The first step of reading a .properties file: from natural lines to logical ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace {

// Gives logical lines: no comments, no blank ones, continued ones joined; escapes still in them.
// Borrows `bytes`. Line ends are LF, CR and CR LF.
class LogicalLines {
 public:
  explicit LogicalLines(std::string_view bytes) : bytes_(bytes) {}

  // False at the end. `line` is where the entry starts, from 1.
  bool next(std::string& text, std::size_t& line);

 private:
  void skip_blanks_and_line_ends();
  void skip_to_line_end();
  void take_line_end();
  void read(std::string& text);

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace millrace
