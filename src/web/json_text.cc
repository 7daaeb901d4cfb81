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

}  // namespace

std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
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
  return json + '"';
}

}  // namespace millrace
