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

// What the front of `bytes` is: a whole character, or how many bytes are malformed together.
struct Sequence {
  std::size_t length;
  char32_t code_point;
  bool is_valid;
};

// The second byte decides about overlong forms and the end of Unicode; a surrogate has all three of
// its bytes, so that it is malformed as a whole.
bool may_follow(unsigned char lead, unsigned char second) {
  if ((second & 0xC0) != 0x80) {
    return false;
  }
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

Sequence first_sequence(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  const std::size_t length = sequence_length(lead);
  if (length <= 1) {
    return {1, length == 0 ? kReplacement : lead, length == 1};
  }
  char32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(i < bytes.size() ? bytes[i] : 0);
    if ((byte & 0xC0) != 0x80 || (i == 1 && !may_follow(lead, byte))) {
      return {i, kReplacement, false};
    }
    code_point = code_point << 6 | (byte & 0x3FU);
  }
  const bool is_valid = !is_surrogate(code_point);
  return {length, is_valid ? code_point : kReplacement, is_valid};
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Sequence sequence = first_sequence(bytes);
    if (!sequence.is_valid) {
      return false;
    }
    bytes.remove_prefix(sequence.length);
  }
  return true;
}

char32_t take_code_point(std::string_view& bytes) {
  const Sequence sequence = first_sequence(bytes);
  bytes.remove_prefix(sequence.length);
  return sequence.code_point;
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
