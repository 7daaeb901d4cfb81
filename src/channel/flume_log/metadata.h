// The small files of a Flume file channel: log-N.meta and checkpoint.meta.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace::flume_log {

inline constexpr std::uint32_t kVersion = 3;

// log-N.meta: up to where the log is covered by checkpoints.
struct LogMeta {
  std::uint32_t version = kVersion;
  std::uint32_t log = 0;  // Number of the log file.
  std::int64_t position = 0;
  std::int64_t order = 0;  // Write order of that checkpoint.
  std::int64_t backup_position = 0;
  std::int64_t backup_order = 0;
  std::optional<std::string> key_alias;  // Of an encrypted log.

  // From where a replay on top of the checkpoint of `checkpoint_order` has to read.
  std::uint64_t replay_from(std::int64_t checkpoint_order) const;
};

// checkpoint.meta, of a checkpoint of version 3.
struct CheckpointMeta {
  std::uint32_t version = kVersion;
  std::int64_t order = 0;
  std::uint32_t size = 0;  // Of the queue.
  std::uint32_t head = 0;  // Its first event's place in the ring.
};

// A whole file each. kCorrupt when it is none.
Result<LogMeta> decode_log_meta(std::string_view file);
Result<CheckpointMeta> decode_checkpoint_meta(std::string_view file);

}  // namespace millrace::flume_log
