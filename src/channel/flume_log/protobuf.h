// Reads the wire form of protocol buffers, as far as Flume's few messages need it: varints, fixed
// numbers and runs of bytes. docs/formats/flume-file-channel.md names the messages.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace millrace::flume_log {

enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct ProtobufField {
  std::uint32_t number = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t value = 0;  // Of a number.
  std::string_view bytes;   // Of a run of bytes; borrows from the message.

  bool is(std::uint32_t wanted, Wire kind) const { return number == wanted && wire == kind; }
};

// kCorrupt when it is cut off or longer than 64 bits.
Result<std::uint64_t> read_varint(ByteReader& reader);
// A message, or a run of bytes, behind a varint with its length.
Result<std::string_view> read_delimited(ByteReader& reader);
Result<ProtobufField> read_field(ByteReader& reader);

// Calls on_field(field) for each field of `message` in turn. An unknown one is the caller's to
// leave alone; kCorrupt when the bytes are no message.
template <class OnField>
Result<> for_each_field(std::string_view message, OnField on_field) {
  ByteReader reader(message);
  while (!reader.empty()) {
    on_field(TRY(read_field(reader)));
  }
  return {};
}

}  // namespace millrace::flume_log
