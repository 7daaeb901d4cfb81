#include "channel/file/parking.h"

#include <algorithm>

#include "base/log.h"

namespace millrace::file_channel {
namespace {

// The lock is held; the events were revoked.
void note_lost(State& state, Parked& parked, EventRange numbers, const Error& error) {
  state.backlog.lost_on_the_way(numbers);
  if (parked.lost == 0) {
    log_error(state.options.name, "events in memory cannot be written to the log: {}",
              error.message());
  }
  parked.lost += numbers.count();
}

}  // namespace

std::shared_ptr<const Parked> park(State& state) {
  auto parked = std::make_shared<Parked>();
  const auto lane = std::find_if(state.lanes.begin(), state.lanes.end(),
                                 [](const auto& each) { return each->is_for_parking; });
  for (const Chunk& chunk : state.backlog.log_all()) {
    parked->events += chunk.size();
    if (lane == state.lanes.end()) {
      state.backlog.revoke(chunk.numbers());
      note_lost(state, *parked, chunk.numbers(), transient("their folder is out of reach"));
      continue;
    }
    PendingPut put{chunk.batch->slice(chunk.from, chunk.to), chunk.numbers(), nullptr};
    put.done = [&state, parked, numbers = chunk.numbers()](const Result<>& written) {
      if (!written.ok()) {
        const std::lock_guard lock(state.mutex);
        note_lost(state, *parked, numbers, written.error());
      }
    };
    state.in_flight_bytes += put.batch->bytes();
    (*lane)->pending_bytes += put.batch->bytes();
    (*lane)->pending.push_back(std::move(put));
  }
  return parked;
}

}  // namespace millrace::file_channel
