#include "client/hdfs/proto_wire.h"

namespace millrace::hdfs {

Result<std::uint64_t> read_varint(ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = TRY(in.little<std::uint8_t>());
    const std::uint64_t bits = byte & 0x7FU;
    if (shift == 63 && bits > 1) {
      break;
    }
    value |= bits << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  return corrupt("a number of more than 64 bits");
}

Result<WireField> read_field(ByteReader& in) {
  const std::uint64_t tag = TRY(read_varint(in));
  WireField field;
  if (tag >> 3 == 0 || tag >> 32 != 0) {
    return corrupt("a field without a number");
  }
  field.number = static_cast<std::uint32_t>(tag >> 3);
  field.type = static_cast<WireType>(tag & 7);
  switch (field.type) {
    case WireType::kVarint:
      field.value = TRY(read_varint(in));
      return field;
    case WireType::kFixed64:
      field.value = TRY(in.little<std::uint64_t>());
      return field;
    case WireType::kFixed32:
      field.value = TRY(in.little<std::uint32_t>());
      return field;
    case WireType::kBytes: {
      const std::uint64_t length = TRY(read_varint(in));
      field.bytes = TRY(in.bytes(length));
      return field;
    }
  }
  return corrupt("a field of an unknown type");
}

char* put_varint(char* out, std::uint64_t value) {
  while (value > 0x7F) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

void append_varint(std::string& out, std::uint64_t value) {
  char raw[kMostVarintBytes];
  out.append(raw, static_cast<std::size_t>(put_varint(raw, value) - raw));
}

}  // namespace millrace::hdfs
