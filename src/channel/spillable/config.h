// The keys of the spillable memory channel (Flume 1.11, org.apache.flume.channel.
// SpillableMemoryChannel): its own, and those of the file channel for what memory does not hold.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>

#include "channel/file/config.h"
#include "channel/memory.h"

namespace millrace {

struct SpillableMemoryConfig : FileChannelConfig {
  std::uint32_t memory_capacity = 10'000;
  std::uint32_t overflow_capacity = kDefaultOverflow;
  std::chrono::seconds overflow_timeout{3};
  std::uint32_t overflow_deactivation_threshold = 5;
  std::optional<ByteCount> byte_capacity;
  std::uint32_t byte_capacity_buffer_percentage = 20;
  std::uint32_t avg_event_size = 500;

  static constexpr std::uint32_t kDefaultOverflow = 100'000'000;

  static constexpr auto own_fields() {
    using C = SpillableMemoryConfig;
    return std::tuple{
        field("memoryCapacity", &C::memory_capacity, "Most events in memory; 0: all go to the log.")
            .range(0, 2'147'483'647)
            .lenient(),
        field("overflowCapacity", &C::overflow_capacity,
              "Most events in the log; 0: there is none, and the channel is one in memory.")
            .range(0, 2'147'483'647)
            .lenient(),
        field("overflowTimeout", &C::overflow_timeout,
              "Seconds that a put waits for memory before puts go to the log; then they do so at "
              "once, until enough memory is free.")
            .range(0, 86'400)
            .lenient(),
        field("overflowDeactivationThreshold", &C::overflow_deactivation_threshold,
              "Per cent of memoryCapacity that are enough.")
            .range(0, 100)
            .lenient(),
        field("byteCapacity", &C::byte_capacity,
              "Most bytes of bodies in memory; 0 for no limit of its own. By default half of the "
              "channel's share of the memory budget; the log has the other half.")
            .lenient(),
        field("byteCapacityBufferPercentage", &C::byte_capacity_buffer_percentage,
              "Part of byteCapacity that is kept free for headers.")
            .range(0, 100)
            .lenient(),
        field("avgEventSize", &C::avg_event_size,
              "Bytes in which byteCapacity is counted: an event takes its body, rounded up.")
            .range(1, 2'147'483'647)
            .lenient(),
        field("transactionCapacity", &C::transaction_capacity,
              "Most events of one put or one take; at most what memory or the log may hold.")
            .range(1, 2'147'483'647)
            .lenient(),
    };
  }
  static constexpr auto replaced_fields() {
    using C = SpillableMemoryConfig;
    return std::tuple{
        field("capacity", &C::capacity, "Most events of a file channel.")
            .ignored("memoryCapacity and overflowCapacity stand for it"),
        field("keep-alive", &C::keep_alive, "How long a put to a file channel waits for room.")
            .ignored("overflowTimeout stands for it"),
    };
  }
  static constexpr auto fields() {
    return std::tuple_cat(own_fields(), dir_fields(), log_fields(), replaced_fields(),
                          EncryptionConfig::fields());
  }
  void check(ConfigCheck& check) const;
  std::vector<Claim> claims() const {
    return log_capacity() == 0 ? std::vector<Claim>() : FileChannelConfig::claims();
  }

  // Flume's: without memory there must be a log.
  std::uint32_t log_capacity() const {
    return memory_capacity == 0 && overflow_capacity == 0 ? kDefaultOverflow : overflow_capacity;
  }
  // A piece that fits neither memory nor log would wait for ever.
  ChannelLimits limits() const;
  MemoryRoom::Limits memory_limits(std::size_t memory_share) const;
  bool exactly_once() const { return false; }                  // A kill takes what is in memory.
  FileChannelConfig log() const;                               // When it has a capacity.
  MemoryChannelConfig memory(std::size_t memory_share) const;  // When it has none.
};

}  // namespace millrace
