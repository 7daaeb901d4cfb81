#include "channel/file/parking.h"

#include <algorithm>

#include "base/log.h"

namespace millrace::file_channel {
namespace {

void note_lost(State& state, Parked& parked, std::uint64_t events, const Error& error) {
  const std::lock_guard lock(state.mutex);
  state.backlog.lost_on_the_way(events);
  if (parked.lost == 0) {
    log_error(state.options.name, "events in memory cannot be written to the log: {}",
              error.message());
  }
  parked.lost += events;
}

}  // namespace

std::shared_ptr<const Parked> park(State& state) {
  auto parked = std::make_shared<Parked>();
  const auto lane = std::find_if(state.lanes.begin(), state.lanes.end(),
                                 [](const auto& each) { return each->is_for_parking; });
  if (lane == state.lanes.end()) {
    return parked;
  }
  for (const Chunk& chunk : state.backlog.log_all()) {
    PendingPut put{chunk.batch->slice(chunk.from, chunk.to), chunk.numbers(), nullptr};
    put.done = [&state, parked, events = chunk.size()](const Result<>& written) {
      if (!written.ok()) {
        note_lost(state, *parked, events, written.error());
      }
    };
    parked->events += chunk.size();
    state.in_flight_bytes += put.batch->bytes();
    (*lane)->pending_bytes += put.batch->bytes();
    (*lane)->pending.push_back(std::move(put));
  }
  return parked;
}

}  // namespace millrace::file_channel
