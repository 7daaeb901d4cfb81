// The one way in for bytes from a wire or a disk: every length is checked before it is used.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace millrace {

// Reads numbers and runs of bytes off a view; each read says kCorrupt when the bytes do not
// suffice. Views that it gives borrow from the bytes it was made over.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes), begin_(bytes.data()) {}

  std::size_t remaining() const { return rest_.size(); }
  std::size_t position() const { return static_cast<std::size_t>(rest_.data() - begin_); }
  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  Result<std::string_view> bytes(std::uint64_t count);
  Result<> skip(std::uint64_t count);
  // Little-endian and big-endian integers of T's width.
  template <class T>
  Result<T> little();
  template <class T>
  Result<T> big();
  // Avro's zig-zag varint, at most 10 bytes.
  Result<std::int64_t> avro_long();
  // Avro's bytes or string: a length as avro_long, then so many bytes.
  Result<std::string_view> avro_bytes();

 private:
  std::string_view rest_;
  const char* begin_;
};

template <class T>
Result<T> ByteReader::little() {
  static_assert(std::is_integral_v<T>);
  const std::string_view raw = TRY(bytes(sizeof(T)));
  T value;
  std::memcpy(&value, raw.data(), sizeof(T));  // x86-64 and arm64 are little-endian.
  return value;
}

template <class T>
Result<T> ByteReader::big() {
  static_assert(std::is_integral_v<T>);
  const std::string_view raw = TRY(bytes(sizeof(T)));
  std::make_unsigned_t<T> value = 0;
  for (const char byte : raw) {
    value = static_cast<std::make_unsigned_t<T>>((value << 8) | static_cast<unsigned char>(byte));
  }
  return static_cast<T>(value);
}

// Appends `value` in little-endian order.
template <class T>
void append_little(std::string& out, T value) {
  static_assert(std::is_integral_v<T>);
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  out.append(raw, sizeof(T));
}

// Appends `value` in big-endian order.
template <class T>
void append_big(std::string& out, T value) {
  static_assert(std::is_integral_v<T>);
  for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(static_cast<std::make_unsigned_t<T>>(value) >> shift));
  }
}

// Writes Avro's zig-zag varint at `out`, which has room for 10 bytes; the byte behind it is
// returned.
inline char* put_avro_long(char* out, std::int64_t value) {
  auto zigzag = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  while (zigzag > 127) {
    *out++ = static_cast<char>(zigzag | 128);
    zigzag >>= 7;
  }
  *out++ = static_cast<char>(zigzag);
  return out;
}

void append_avro_long(std::string& out, std::int64_t value);
void append_avro_bytes(std::string& out, std::string_view bytes);

}  // namespace millrace
