#include "web/json_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "config/utf8.h"

namespace millrace {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes of the UTF-8 character at the front of `text`; 0 when there is none.
std::size_t character_size(std::string_view text) {
  for (std::size_t size = 1; size <= std::min<std::size_t>(4, text.size()); ++size) {
    if (is_valid_utf8(text.substr(0, size))) {
      return size;
    }
  }
  return 0;
}

// How many bytes at the front of `text` stand for themselves.
std::size_t plain_size(std::string_view text) {
  const auto odd = std::find_if(text.begin(), text.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte < 0x20 || byte >= 0x80 || letter == '"' || letter == '\\';
  });
  return static_cast<std::size_t>(odd - text.begin());
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (;;) {
    const std::size_t plain = plain_size(text);
    json += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) {
      return json + '"';
    }
    const std::size_t size = character_size(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (size == 0) {
      json += kReplacement;
    } else if (first == '"' || first == '\\') {
      json += {'\\', text.front()};
    } else if (first < 0x20) {
      json += fmt::format("\\u{:04x}", first);
    } else {
      json += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

}  // namespace millrace
