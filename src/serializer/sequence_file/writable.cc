#include "serializer/sequence_file/writable.h"

#include <bit>

namespace millrace {
namespace {

constexpr std::int64_t kLeastOneByte = -112;
constexpr std::int64_t kMostOneByte = 127;
constexpr int kPositive = -112;  // Less the count of bytes.
constexpr int kNegative = -120;

// What the bytes that follow hold.
std::uint64_t magnitude(std::int64_t value) {
  return static_cast<std::uint64_t>(value < 0 ? ~value : value);
}
int bytes_of(std::uint64_t magnitude) {
  return (std::bit_width(magnitude) + 7) / 8;
}
bool fits_one_byte(std::int64_t value) {
  return value >= kLeastOneByte && value <= kMostOneByte;
}

}  // namespace

void append_vlong(std::string& out, std::int64_t value) {
  if (fits_one_byte(value)) {
    out += static_cast<char>(value);
    return;
  }
  const std::uint64_t bits = magnitude(value);
  const int count = bytes_of(bits);
  out += static_cast<char>((value < 0 ? kNegative : kPositive) - count);
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>(bits >> shift);
  }
}

std::size_t vlong_bytes(std::int64_t value) {
  return fits_one_byte(value) ? 1 : 1 + static_cast<std::size_t>(bytes_of(magnitude(value)));
}

Result<std::int64_t> read_vlong(ByteReader& reader) {
  const auto first = static_cast<std::int8_t>(TRY(reader.bytes(1))[0]);
  if (first >= kLeastOneByte) {
    return std::int64_t{first};
  }
  const bool negative = first < kNegative;
  std::uint64_t bits = 0;
  for (const char byte : TRY(reader.bytes(
           static_cast<std::uint64_t>(negative ? kNegative - first : kPositive - first)))) {
    bits = (bits << 8) | static_cast<unsigned char>(byte);
  }
  return static_cast<std::int64_t>(negative ? ~bits : bits);
}

Result<std::uint64_t> read_vlength(ByteReader& reader) {
  const std::int64_t value = TRY(read_vlong(reader));
  if (value < 0) {
    return corrupt("a negative length");
  }
  return static_cast<std::uint64_t>(value);
}

void append_hadoop_text(std::string& out, std::string_view text) {
  append_vlong(out, static_cast<std::int64_t>(text.size()));
  out += text;
}

Result<std::string_view> read_hadoop_text(ByteReader& reader) {
  return reader.bytes(TRY(read_vlength(reader)));
}

}  // namespace millrace
