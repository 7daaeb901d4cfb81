#include "source/netcat/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace millrace {
namespace {

// Java's name of an encoding whose byte order is not given stands for the big-endian one.
std::string reply_encoding(const std::string& encoding) {
  std::string upper = encoding;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper == "UTF-16" || upper == "UTF-32" ? upper + "BE" : encoding;
}

}  // namespace

Result<std::shared_ptr<Replies>> Replies::make(const NetcatConfig& config) {
  auto replies = std::make_shared<Replies>();
  replies->acknowledge_ = config.ack_every_event;
  replies->max_line_length_ = config.max_line_length;
  if (!is_utf8(config.encoding)) {
    replies->encoder_ = TRY(TextConverter::make("UTF-8", reply_encoding(config.encoding)));
  }
  return replies;
}

std::string Replies::to_lines(const Result<>& result, std::size_t lines) {
  if (result.ok() && !acknowledge_) {
    return {};
  }
  const std::string one =
      encode(result.ok() ? "OK\n" : fmt::format("FAILED: {}\n", result.error().message()));
  std::string all;
  all.reserve(one.size() * lines);
  for (std::size_t i = 0; i < lines; ++i) {
    all += one;
  }
  return all;
}

std::string Replies::to_long_line() {
  return encode(
      fmt::format("FAILED: Event exceeds the maximum length ({} chars, including newline)\n",
                  max_line_length_));
}

std::string Replies::encode(const std::string& text) {
  if (!encoder_) {
    return text;
  }
  const auto encoded = encoder_->convert(text);
  return encoded ? std::string(*encoded) : text;
}

}  // namespace millrace
