#include "core/channel.h"

namespace millrace {

Result<> Channel::commit_with_intent(std::span<const Lease> leases, std::span<const HeldEvent> held,
                                     SteadyTime held_until, const SinkIntent&, std::stop_token) {
  commit(leases, held, held_until);
  return bad_config("this channel keeps no intents of sinks that deliver exactly once");
}

std::string Channel::intent_of(std::string_view) const {
  return {};
}

}  // namespace millrace
