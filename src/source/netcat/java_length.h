// How long Java would say that a text is.
#pragma once

#include <cstddef>
#include <string_view>

namespace millrace {

// Whether UTF-8 text has more than so many of Java's characters (UTF-16 units): those outside the
// first plane count twice. Bytes that are no UTF-8 count like Java's replacements of them.
inline bool is_longer_than(std::string_view text, std::size_t characters) {
  if (text.size() <= characters) {
    return false;
  }
  if (text.size() > characters * 4) {
    return true;
  }
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    count += (byte & 0xC0) != 0x80 ? (byte >= 0xF0 ? 2 : 1) : 0;
  }
  return count > characters;
}

}  // namespace millrace
