// Text of other encodings, by the C library's iconv.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

// True for the names that Java and IANA give UTF-8: text that needs no conversion.
bool is_utf8(std::string_view charset);

// Converts whole texts from one encoding to another. Threads: one at a time.
class TextConverter {
 public:
  // kConfig when the C library does not know one of the names.
  static Result<TextConverter> make(const std::string& from, const std::string& to);

  // Nothing when `text` is not of the encoding, or has no counterpart in the other. Otherwise
  // borrows from this until the next call.
  std::optional<std::string_view> convert(std::string_view text);

 private:
  struct Closer {
    void operator()(void* handle) const;
  };
  explicit TextConverter(void* handle) : handle_(handle) {}

  std::unique_ptr<void, Closer> handle_;  // iconv_t
  std::string out_;
};

}  // namespace millrace
