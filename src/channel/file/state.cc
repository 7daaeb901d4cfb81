#include "channel/file/state.h"

#include <algorithm>

namespace millrace::file_channel {
namespace {

// Puts stay with a dir for this long, so that small ones that follow one another can be read back
// together.
constexpr std::size_t kTurnBytes = 256 * 1024;

}  // namespace

State::State(Options options_in, Services& services_in, MetricGroup& metrics_in)
    : options(std::move(options_in)),
      services(services_in),
      put_errors(metrics_in.counter("EventPutErrorCount")),
      take_errors(metrics_in.counter("EventTakeErrorCount")),
      checkpoint_errors(metrics_in.counter("CheckpointWriteErrorCount")),
      backup_errors(metrics_in.counter("CheckpointBackupWriteErrorCount")) {}

Lane* State::lane_for_put(std::size_t bytes) {
  if (turn_bytes >= kTurnBytes) {
    turn = (turn + 1) % lanes.size();
    turn_bytes = 0;
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[turn]->blocked && !lanes[turn]->is_for_parking) {
      turn_bytes += bytes;
      return lanes[turn].get();
    }
    turn = (turn + 1) % lanes.size();
    turn_bytes = 0;
  }
  return nullptr;
}

bool State::has_room(std::uint64_t events, std::size_t bytes) const {
  return backlog.logged() + events <= options.capacity &&
         (in_flight_bytes == 0 || in_flight_bytes + bytes <= options.most_in_flight);
}

// At half of what held events leave free, so that a source finds room for many puts; and never
// before the smallest put that was refused fits.
Wakes State::wakes_due() {
  if (room_wanted.empty()) {
    return {};
  }
  const std::uint64_t logged = backlog.logged();
  const std::uint64_t held = std::min({backlog.held(), options.capacity, logged});
  const bool events_fit =
      logged - held <= (options.capacity - held) / 2 &&
      (least_refused == UINT64_MAX || logged + least_refused <= options.capacity);
  const bool bytes_fit = in_flight_bytes <= options.most_in_flight / 2;
  const bool can_write = std::any_of(lanes.begin(), lanes.end(), [](const auto& lane) {
    return !lane->blocked && !lane->is_for_parking;
  });
  if (!closing && !(events_fit && bytes_fit && can_write)) {
    return {};
  }
  least_refused = UINT64_MAX;
  return std::exchange(room_wanted, {});
}

void State::add_acks(std::span<const EventRange> ranges, const Intents& intents_of_them) {
  const bool is_first = !has_acks();
  if (is_first) {
    acks_since = std::chrono::steady_clock::now();
  }
  for (const EventRange& range : ranges) {
    acks.add(range);
  }
  new_intents.add(intents_of_them);
  ++ack_requests;
  if (first_ack == 0 && has_acks()) {
    first_ack = ack_requests;
  }
  // Behind the first ones the committer wakes by itself.
  if (Lane* const lane = is_first || acks_urgent ? lane_for_acks() : nullptr) {
    lane->work.notify_one();
  }
}

void State::settle_voids() {
  if (backlog.has_new_voids()) {
    if (const auto settled = backlog.settle_voids(in_flight()); !settled.empty()) {
      add_acks(settled);
    }
  }
}

std::uint64_t State::acks_durable() const {
  std::uint64_t oldest = first_ack;
  for (const auto& lane : lanes) {
    for (const GroupPtr& group : lane->writing) {
      if (group->first_ack != 0 && (oldest == 0 || group->first_ack < oldest)) {
        oldest = group->first_ack;
      }
    }
  }
  return oldest == 0 ? ack_requests : oldest - 1;
}

Lane* State::lane_for_acks() const {
  for (const auto& lane : lanes) {
    if (!lane->blocked) {
      return lane.get();
    }
  }
  return nullptr;
}

EventRanges State::in_flight() const {
  EventRanges numbers;
  for (const auto& lane : lanes) {
    for (const GroupPtr& group : lane->writing) {
      for (const PendingPut& put : group->puts) {
        numbers.add(put.numbers);
      }
    }
    for (const PendingPut& put : lane->pending) {
      numbers.add(put.numbers);
    }
  }
  return numbers;
}

bool State::next_waits_for_log() const {
  const std::optional<EventNumber> next = backlog.first_ready();
  if (!next) {
    return false;
  }
  const auto is_before = [&](const auto& puts) {
    return !puts.empty() && puts.front().numbers.first < *next;
  };
  return std::any_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
    return is_before(lane->pending) ||
           std::any_of(lane->writing.begin(), lane->writing.end(),
                       [&](const GroupPtr& group) { return is_before(group->puts); });
  });
}

bool State::anything_unread() const {
  return std::any_of(lanes.begin(), lanes.end(),
                     [](const auto& lane) { return lane->unread || lane->loading; });
}

void run_all(const Wakes& wakes) {
  for (const std::function<void()>& wake : wakes) {
    wake();
  }
}

}  // namespace millrace::file_channel
