#include "channel/spillable/config.h"

#include <algorithm>

namespace millrace {

void SpillableMemoryConfig::check(ConfigCheck& check) const {
  check_log(check);
  if (memory_capacity == 0 && overflow_capacity == 0) {
    check.warn("overflowCapacity", "cannot be 0 when memoryCapacity is 0: the default is used");
  }
}

// A source that answers its clients waits for memory, then for the log, as long as Flume's.
ChannelLimits SpillableMemoryConfig::limits() const {
  return {.capacity = memory_capacity + log_capacity(),
          .transaction_capacity =
              std::min(transaction_capacity, std::max(memory_capacity, log_capacity())),
          .keep_alive = log_capacity() > 0 ? 2 * overflow_timeout : overflow_timeout};
}

MemoryRoom::Limits SpillableMemoryConfig::memory_limits(std::size_t memory_share) const {
  return {.events = memory_capacity,
          .bytes = byte_capacity ? byte_capacity->value : memory_share,
          .buffer_percentage = byte_capacity_buffer_percentage,
          .slot_bytes = avg_event_size};
}

FileChannelConfig SpillableMemoryConfig::log() const {
  FileChannelConfig config = static_cast<const FileChannelConfig&>(*this);
  config.capacity = log_capacity();
  config.transaction_capacity = limits().transaction_capacity;
  config.keep_alive = std::chrono::seconds(0);
  config.has_memory_part = true;
  return config;
}

MemoryChannelConfig SpillableMemoryConfig::memory(std::size_t memory_share) const {
  MemoryChannelConfig config;
  static_cast<ChannelLimits&>(config) = limits();
  config.byte_capacity = ByteCount{memory_limits(memory_share).bytes};
  config.byte_capacity_buffer_percentage = byte_capacity_buffer_percentage;
  config.slot_bytes = avg_event_size;
  return config;
}

}  // namespace millrace
