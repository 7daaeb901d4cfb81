#include "channel/flume_log/protobuf.h"

namespace millrace::flume_log {

Result<std::uint64_t> read_varint(ByteReader& reader) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = TRY(reader.little<std::uint8_t>());
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) {
      return value;
    }
  }
  return corrupt("a varint of more than 64 bits");
}

Result<std::string_view> read_delimited(ByteReader& reader) {
  return reader.bytes(TRY(read_varint(reader)));
}

Result<ProtobufField> read_field(ByteReader& reader) {
  const std::uint64_t key = TRY(read_varint(reader));
  if (key >> 3 == 0 || key >> 3 > 0x1FFFFFFF) {
    return corrupt("a field with an impossible number");
  }
  ProtobufField field{.number = static_cast<std::uint32_t>(key >> 3),
                      .wire = static_cast<Wire>(key & 7)};
  switch (field.wire) {
    case Wire::kVarint:
      field.value = TRY(read_varint(reader));
      return field;
    case Wire::kFixed64:
      field.value = TRY(reader.little<std::uint64_t>());
      return field;
    case Wire::kBytes:
      field.bytes = TRY(read_delimited(reader));
      return field;
    case Wire::kFixed32:
      field.value = TRY(reader.little<std::uint32_t>());
      return field;
  }
  return corrupt("a field of a wire type that is not in use");
}

}  // namespace millrace::flume_log
