// Text of any encoding to UTF-8, as it comes in pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

// What is no text of the encoding becomes U+FFFD, as with Java's decoders. UTF-16 and UTF-32
// without a byte order are big-endian unless the text begins with a byte order mark, as in Java.
// Threads: its connection's loop.
class StreamDecoder {
 public:
  // kConfig when the C library does not know the encoding.
  static Result<std::unique_ptr<StreamDecoder>> make(const std::string& encoding);
  ~StreamDecoder();
  StreamDecoder(const StreamDecoder&) = delete;
  StreamDecoder& operator=(const StreamDecoder&) = delete;

  // Appends the UTF-8 text of `bytes` to `out`; the head of a character that is still torn waits
  // for the next call.
  void append(std::string_view bytes, std::string& out);
  // Nothing follows: what is torn becomes U+FFFD.
  void finish(std::string& out);

 private:
  explicit StreamDecoder(std::string encoding) : encoding_(std::move(encoding)) {}
  bool open();
  bool knows_byte_order();
  void convert(std::string& out);

  std::string encoding_;
  void* handle_ = nullptr;  // iconv_t; opened once the byte order is known.
  std::string waiting_;     // Bytes that are not converted yet.
};

}  // namespace millrace
