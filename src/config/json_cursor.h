// The words of a JSON text, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

// Each step says kCorrupt, with the byte, where it does not find what it needs. Blanks before what
// is looked for are passed over. Borrows the text. Threads: one.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view json) : json_(json) {}

  // Whether the next character is `wanted`, which is then passed.
  bool accept(char wanted);
  Result<> expect(char wanted);
  // A text in quotes; escapes become UTF-8, other bytes are left as they are.
  Result<std::string> text();
  // One that ends the JSON is none: a cut text may go on behind it.
  Result<std::int64_t> whole_number();
  // Letters, digits and signs in a row: a number, true, false, null. Perhaps empty.
  std::string_view bare_word();

  // What comes next, without passing it; 0 at the end.
  char next();
  bool at_end();
  Error fault(std::string_view wanted) const;

 private:
  Result<> escape(class Utf16Appender& out);
  void skip_blanks();

  const std::string_view json_;
  std::size_t at_ = 0;
};

}  // namespace millrace
