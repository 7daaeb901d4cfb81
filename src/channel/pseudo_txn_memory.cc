#include "channel/pseudo_txn_memory.h"

#include <utility>

namespace millrace {
namespace {

MemoryChannelConfig memory_config(const PseudoTxnMemoryConfig& config) {
  MemoryChannelConfig memory;
  memory.capacity = config.capacity;
  memory.transaction_capacity = config.capacity;
  memory.keep_alive = config.keep_alive;
  return memory;
}

}  // namespace

PseudoTxnMemoryChannel::PseudoTxnMemoryChannel(const Config& config, ChannelContext context)
    : MemoryChannel(memory_config(config), std::move(context)) {}

const RegisterChannel<PseudoTxnMemoryChannel> entry{
    "", "org.apache.flume.channel.PseudoTxnMemoryChannel",
    "Flume's channel for tests: a memory channel with fewer keys. Here it rolls back as that "
    "does."};

}  // namespace millrace
