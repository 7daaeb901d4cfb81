// The pseudo-transactional memory channel of Flume's tests
// (org.apache.flume.channel.PseudoTxnMemoryChannel), with transactions that are none there.
#pragma once

#include <chrono>
#include <cstdint>
#include <tuple>

#include "channel/memory.h"

namespace millrace {

struct PseudoTxnMemoryConfig {
  std::uint32_t capacity = 50;
  std::chrono::seconds keep_alive{3};

  static constexpr auto fields() {
    using C = PseudoTxnMemoryConfig;
    return std::tuple{
        field("capacity", &C::capacity, "Most events in the channel.").range(1, 2'147'483'647),
        field("keep-alive", &C::keep_alive,
              "Seconds that a source which answers its client waits for room.")
            .range(0, 86'400),
    };
  }
};

// A memory channel whose transactions may be as large as it is. In Flume it rolls nothing back:
// what a sink had taken and failed at was lost, and a put waited without an end. Here it comes
// again, and a put waits as for the memory channel.
class PseudoTxnMemoryChannel final : public MemoryChannel {
 public:
  using Config = PseudoTxnMemoryConfig;
  PseudoTxnMemoryChannel(const Config& config, ChannelContext context);
};

}  // namespace millrace
