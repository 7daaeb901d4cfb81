// What the DataNodes of a pipeline answer to a packet: PipelineAckProto, read by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace::hdfs {

// Status of datatransfer.proto; a number that it does not name is an error too.
enum class TransferStatus : std::uint32_t {
  kSuccess = 0,
  kError = 1,
  kErrorChecksum = 2,
  kErrorInvalid = 3,
  kErrorExists = 4,
  kErrorAccessToken = 5,
  kChecksumOk = 6,
  kErrorUnsupported = 7,
  kOobRestart = 8,  // Out of band: the DataNode restarts and will be back.
  kInProgress = 12,
};

std::string_view to_string(TransferStatus status);

struct PipelineAck {
  std::int64_t seqno = 0;               // Of the packet; kHeartbeatSeqno; below it: out of band.
  std::vector<TransferStatus> replies;  // In the order of the pipeline; one that did not hear from
                                        // those behind it says kError for the next one.

  // The first node that did not succeed.
  std::optional<std::size_t> first_bad() const;
};

// Takes a whole ack off the front of `bytes`, a stream that may be torn anywhere. False: more bytes
// are needed. kCorrupt when it cannot be one.
Result<bool> take_pipeline_ack(std::string_view& bytes, PipelineAck& ack);

void append_pipeline_ack(std::string& out, const PipelineAck& ack);

}  // namespace millrace::hdfs
