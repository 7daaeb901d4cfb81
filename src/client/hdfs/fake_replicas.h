// What the DataNodes of a test hold, and what goes wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "client/hdfs/transfer_messages.h"

namespace millrace::hdfs::testing_kit {

// What the next connection to a DataNode meets. It fails after so many packets.
struct Trouble {
  enum class Kind {
    kNone,
    kRefuse,      // The set-up fails and blames `node`.
    kBadAck,      // The ack blames `node`.
    kEnd,         // The connection ends.
    kSilence,     // Nothing is acknowledged any more.
    kRestart,     // Out of band: it restarts.
    kGarbage,     // The ack is none.
    kWrongSeqno,  // The ack is another packet's.
  };
  Kind kind = Kind::kNone;
  std::size_t packets = 0;
  std::size_t node = 0;
  bool torn_acks = false;  // They come byte by byte.
};

struct FakeReplica {
  std::string bytes;
  std::uint64_t generation_stamp = 0;
  bool finalized = false;
  std::size_t synced = 0;  // Bytes.
};

// What all DataNodes of a test hold of each block: one copy stands for all of a pipeline.
struct FakeReplicas {
  std::mutex mutex;  // Guards the rest.
  std::map<std::uint64_t, FakeReplica> blocks;
  std::vector<PipelineStage> stages;  // Of the pipelines that were set up.
  std::size_t heartbeats = 0;
  std::size_t copies = 0;  // OpTransferBlock.
  std::size_t packets = 0;

  FakeReplica of(std::uint64_t block) {
    const std::lock_guard lock(mutex);
    return blocks[block];
  }
};

}  // namespace millrace::hdfs::testing_kit
