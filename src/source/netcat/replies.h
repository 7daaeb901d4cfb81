// The texts of the netcat source's answers.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "config/charset.h"
#include "source/netcat/netcat_config.h"

namespace millrace {

// In the encoding of the clients. Shared by the connections, which may outlive the source.
// Threads: the source's loop.
class Replies {
 public:
  // kConfig when the C library does not know the encoding.
  static Result<std::shared_ptr<Replies>> make(const NetcatConfig& config);

  // The answer to each of `lines` lines; nothing for good ones where they are not acknowledged.
  std::string to_lines(const Result<>& result, std::size_t lines);
  // To a line that is too long.
  std::string to_long_line();

 private:
  std::string encode(const std::string& text);

  bool acknowledge_ = true;
  std::uint32_t max_line_length_ = 0;
  std::optional<TextConverter> encoder_;  // Nothing: UTF-8.
};

}  // namespace millrace
