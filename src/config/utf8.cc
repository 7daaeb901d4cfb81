#include "config/utf8.h"

#include <cstddef>

namespace millrace {

namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

bool is_surrogate(std::uint32_t c) {
  return c >= 0xD800 && c <= 0xDFFF;
}

// The length that a lead byte announces; 0 = it is none.
std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    return 2;
  }
  if ((lead & 0xF0) == 0xE0) {
    return 3;
  }
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) {
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    const std::size_t length = sequence_length(lead);
    if (length == 0 || bytes.size() - at < length) {
      return false;
    }
    std::uint32_t code_point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[at + i]);
      if ((byte & 0xC0) != 0x80) {
        return false;
      }
      code_point = code_point << 6 | (byte & 0x3F);
    }
    if (code_point < kLeast[length] || code_point > 0x10FFFF || is_surrogate(code_point)) {
      return false;
    }
    at += length;
  }
  return true;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const std::uint32_t c = is_surrogate(code_point) ? kReplacement : code_point;
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

void Utf16Appender::unit(std::uint32_t unit) {
  const bool is_low = unit >= 0xDC00 && unit <= 0xDFFF;
  if (high_ != 0 && is_low) {
    append_utf8(out_, 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00));
    high_ = 0;
    return;
  }
  finish();
  if (is_surrogate(unit) && !is_low) {
    high_ = unit;
  } else {
    append_utf8(out_, unit);
  }
}

void Utf16Appender::finish() {
  if (high_ != 0) {
    append_utf8(out_, high_);
    high_ = 0;
  }
}

}  // namespace millrace
