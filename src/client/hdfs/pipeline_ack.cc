#include "client/hdfs/pipeline_ack.h"

#include "base/bytes.h"
#include "client/hdfs/proto_wire.h"

namespace millrace::hdfs {
namespace {

// Field numbers of PipelineAckProto.
enum Field : std::uint32_t { kSeqno = 1, kReply = 2, kFlag = 4 };

constexpr std::uint64_t kMostAckBytes = 16 * 1024;
constexpr std::size_t kMostReplies = 512;      // As many replicas as HDFS allows.
constexpr std::uint64_t kStatusOfFlag = 0x0F;  // The rest tells of congestion.

struct Statuses {
  std::vector<TransferStatus>& out;
  std::uint64_t mask;

  Result<> add(std::uint64_t value) {
    if (out.size() >= kMostReplies) {
      return corrupt("an ack with too many replies");
    }
    out.push_back(static_cast<TransferStatus>(value & mask));
    return {};
  }
  // One value, or many packed.
  Result<> add_field(const WireField& field) {
    if (field.type != WireType::kBytes) {
      return add(field.value);
    }
    ByteReader packed(field.bytes);
    while (!packed.empty()) {
      const std::uint64_t value = TRY(read_varint(packed));
      TRY(add(value));
    }
    return {};
  }
};

Result<> decode(std::string_view message, PipelineAck& ack) {
  ack.replies.clear();
  std::vector<TransferStatus> flags;
  bool numbered = false;
  ByteReader in(message);
  while (!in.empty()) {
    const WireField field = TRY(read_field(in));
    if (field.number == kSeqno) {
      ack.seqno = from_zigzag(field.value);
      numbered = field.type == WireType::kVarint;
    } else if (field.number == kReply) {
      TRY(Statuses{ack.replies, 0xFFFFFFFF}.add_field(field));
    } else if (field.number == kFlag) {
      TRY(Statuses{flags, kStatusOfFlag}.add_field(field));
    }
  }
  if (!numbered) {
    return corrupt("an ack without a number");
  }
  if (!flags.empty()) {  // They repeat the replies, and count where both are there.
    ack.replies = std::move(flags);
  }
  return {};
}

}  // namespace

std::string_view to_string(TransferStatus status) {
  switch (status) {
    case TransferStatus::kSuccess:
      return "SUCCESS";
    case TransferStatus::kError:
      return "ERROR";
    case TransferStatus::kErrorChecksum:
      return "ERROR_CHECKSUM";
    case TransferStatus::kErrorInvalid:
      return "ERROR_INVALID";
    case TransferStatus::kErrorExists:
      return "ERROR_EXISTS";
    case TransferStatus::kErrorAccessToken:
      return "ERROR_ACCESS_TOKEN";
    case TransferStatus::kChecksumOk:
      return "CHECKSUM_OK";
    case TransferStatus::kErrorUnsupported:
      return "ERROR_UNSUPPORTED";
    case TransferStatus::kOobRestart:
      return "OOB_RESTART";
    case TransferStatus::kInProgress:
      return "IN_PROGRESS";
  }
  return "an unknown status";
}

std::optional<std::size_t> PipelineAck::first_bad() const {
  for (std::size_t n = 0; n < replies.size(); ++n) {
    if (replies[n] != TransferStatus::kSuccess) {
      return n;
    }
  }
  return std::nullopt;
}

Result<bool> take_pipeline_ack(std::string_view& bytes, PipelineAck& ack) {
  ByteReader in(bytes);
  const Result<std::uint64_t> length = read_varint(in);
  if (!length.ok()) {
    return bytes.size() >= kMostVarintBytes ? Result<bool>(length.error()) : Result<bool>(false);
  }
  if (*length > kMostAckBytes) {
    return corrupt("an ack of impossible length");
  }
  if (*length > in.remaining()) {
    return false;
  }
  const std::string_view message = TRY(in.bytes(*length));
  TRY(decode(message, ack));
  bytes = in.rest();
  return true;
}

void append_pipeline_ack(std::string& out, const PipelineAck& ack) {
  const auto zigzag =
      static_cast<std::uint64_t>(ack.seqno) << 1 ^ static_cast<std::uint64_t>(ack.seqno >> 63);
  std::string message;
  append_varint(message, kSeqno << 3);
  append_varint(message, zigzag);
  for (const TransferStatus reply : ack.replies) {
    append_varint(message, kReply << 3);
    append_varint(message, static_cast<std::uint64_t>(reply));
  }
  append_varint(out, message.size());
  out += message;
}

}  // namespace millrace::hdfs
