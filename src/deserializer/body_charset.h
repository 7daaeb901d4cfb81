// The encoding of bodies, where it is not UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "config/charset.h"

namespace millrace {

// Encodes as Java's String.getBytes(): what has no counterpart becomes a question mark; UTF-16
// begins with a mark of its byte order, which is big-endian. Threads: one at a time.
class BodyCharset {
 public:
  // kConfig for a charset that is not known here.
  static Result<BodyCharset> make(const std::string& charset);

  // `text` is UTF-8; borrows from this until the next call.
  std::string_view encode(std::string_view text);

 private:
  BodyCharset(TextConverter converter, std::string_view mark)
      : converter_(std::move(converter)), mark_(mark) {}

  TextConverter converter_;
  std::string_view mark_;
  std::string encoded_;
};

}  // namespace millrace
