#include "base/bytes.h"

namespace millrace {

Result<std::string_view> ByteReader::bytes(std::uint64_t count) {
  if (count > rest_.size()) {
    return corrupt("need " + std::to_string(count) + " bytes at " + std::to_string(position()) +
                   ", have " + std::to_string(rest_.size()));
  }
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

Result<> ByteReader::skip(std::uint64_t count) {
  TRY(bytes(count));
  return {};
}

Result<std::int64_t> ByteReader::avro_long() {
  std::uint64_t zigzag = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const auto byte = static_cast<unsigned char>(TRY(bytes(1))[0]);
    if (shift == 63 && byte > 1) {
      break;
    }
    zigzag |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) {
      return static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
    }
  }
  return corrupt("a variable-length number is longer than 64 bits, before byte " +
                 std::to_string(position()));
}

Result<std::string_view> ByteReader::avro_bytes() {
  const std::int64_t length = TRY(avro_long());
  if (length < 0) {
    return corrupt("negative length at byte " + std::to_string(position()));
  }
  return bytes(static_cast<std::uint64_t>(length));
}

void append_avro_long(std::string& out, std::int64_t value) {
  char raw[10];
  out.append(raw, static_cast<std::size_t>(put_avro_long(raw, value) - raw));
}

void append_avro_bytes(std::string& out, std::string_view bytes) {
  append_avro_long(out, static_cast<std::int64_t>(bytes.size()));
  out.append(bytes);
}

}  // namespace millrace
