// dead-letter.channel: letters go into another channel of the agent, and whatever sink it has.
#pragma once

#include <memory>
#include <string>

#include "core/channel.h"
#include "core/dead_letter.h"

namespace millrace {

// Durable: as the channel is; write() waits for its commit.
// A channel that is full gets a moment, then what does not fit is left to the caller.
// Threads: its runner's; the channel outlives it or is shared.
class ChannelDeadLetter final : public DeadLetter {
 public:
  ChannelDeadLetter(std::string name, std::shared_ptr<Channel> channel, SlabPool& slabs);

  Posted write(const BatchPtr& letters) override;

 private:
  Result<> put(const BatchPtr& piece);

  const std::string name_;  // "channel c2"
  const std::shared_ptr<Channel> channel_;
  SlabPool& slabs_;
};

}  // namespace millrace
