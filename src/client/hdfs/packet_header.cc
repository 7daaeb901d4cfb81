#include "client/hdfs/packet_header.h"

#include <limits>

#include "base/bytes.h"
#include "client/hdfs/proto_wire.h"

namespace millrace::hdfs {
namespace {

// Field numbers of PacketHeaderProto.
enum Field : std::uint32_t {
  kOffsetInBlock = 1,
  kSeqno = 2,
  kLastInBlock = 3,
  kDataLength = 4,
  kSyncBlock = 5,
};

constexpr std::uint32_t kMostHeaderBytes = 1024;

template <class T>
char* put(char* out, T value, bool big_endian) {
  for (std::size_t n = 0; n < sizeof(T); ++n) {
    const std::size_t shift = 8 * (big_endian ? sizeof(T) - 1 - n : n);
    *out++ = static_cast<char>(static_cast<std::uint64_t>(value) >> shift);
  }
  return out;
}

char tag(Field field, WireType type) {
  return static_cast<char>(field << 3 | static_cast<std::uint32_t>(type));
}

char* put_bool(char* out, Field field, bool value) {
  *out++ = tag(field, WireType::kVarint);
  *out++ = value ? 1 : 0;
  return out;
}

Result<> set_field(PacketHeader& header, const WireField& field) {
  const auto expect = [&](WireType type) -> Result<> {
    return field.type == type ? Result<>()
                              : corrupt("a packet header with a field of a wrong type");
  };
  switch (field.number) {
    case kOffsetInBlock:
      header.offset_in_block = static_cast<std::int64_t>(field.value);
      return expect(WireType::kFixed64);
    case kSeqno:
      header.seqno = static_cast<std::int64_t>(field.value);
      return expect(WireType::kFixed64);
    case kLastInBlock:
      header.last_in_block = field.value != 0;
      return expect(WireType::kVarint);
    case kDataLength:
      header.data_bytes = static_cast<std::uint32_t>(field.value);
      return expect(WireType::kFixed32);
    case kSyncBlock:
      header.sync_block = field.value != 0;
      return expect(WireType::kVarint);
    default:
      return {};
  }
}

}  // namespace

PacketHead::PacketHead(const PacketHeader& header, std::uint32_t checksum_bytes) {
  char* const lengths = bytes_.data();
  char* out = lengths + kPacketLengthsBytes;
  *out++ = tag(kOffsetInBlock, WireType::kFixed64);
  out = put(out, header.offset_in_block, false);
  *out++ = tag(kSeqno, WireType::kFixed64);
  out = put(out, header.seqno, false);
  out = put_bool(out, kLastInBlock, header.last_in_block);
  *out++ = tag(kDataLength, WireType::kFixed32);
  out = put(out, header.data_bytes, false);
  if (header.sync_block) {
    out = put_bool(out, kSyncBlock, true);
  }
  size_ = static_cast<std::size_t>(out - lengths);
  // The payload's length counts itself.
  put(lengths, std::uint32_t{4} + checksum_bytes + header.data_bytes, true);
  put(lengths + 4, static_cast<std::uint16_t>(size_ - kPacketLengthsBytes), true);
}

Result<PacketLengths> decode_packet_lengths(std::string_view bytes) {
  ByteReader in(bytes);
  const auto payload = TRY(in.big<std::uint32_t>());
  const auto header = TRY(in.big<std::uint16_t>());
  if (payload < 4 || payload - 4 > kMostPacketBytes || header == 0 || header > kMostHeaderBytes) {
    return corrupt("a packet of impossible length");
  }
  return PacketLengths{payload - 4, header};
}

Result<PacketHeader> decode_packet_header(std::string_view bytes) {
  PacketHeader header;
  std::uint32_t seen = 0;
  ByteReader in(bytes);
  while (!in.empty()) {
    const WireField field = TRY(read_field(in));
    TRY(set_field(header, field));
    seen |= field.number < 32 ? 1U << field.number : 0;
  }
  constexpr std::uint32_t kRequired =
      1U << kOffsetInBlock | 1U << kSeqno | 1U << kLastInBlock | 1U << kDataLength;
  if ((seen & kRequired) != kRequired) {
    return corrupt("a packet header that lacks a field");
  }
  constexpr auto kMostOffset = std::numeric_limits<std::int64_t>::max() - kMostPacketBytes;
  if (header.offset_in_block < 0 || header.offset_in_block > kMostOffset ||
      header.data_bytes > kMostPacketBytes) {
    return corrupt("a packet header with an impossible length");
  }
  return header;
}

}  // namespace millrace::hdfs
