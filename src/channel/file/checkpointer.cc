#include "channel/file/checkpointer.h"

#include <pthread.h>

#include <algorithm>

#include "base/log.h"
#include "channel/file/checkpoint_file.h"

namespace millrace::file_channel {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kLookAgain = std::chrono::seconds(1);
constexpr auto kAcksDeadline = std::chrono::seconds(3);
constexpr std::uint64_t kMostSegmentsBetween = 4;  // 256 MiB, of which a start reads the headers.

}  // namespace

Checkpointer::Checkpointer(State& state) : state_(state), last_(SteadyClock::now()) {}

void Checkpointer::start() {
  thread_ = std::jthread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "log checkpoint");
}

void Checkpointer::stop() {
  {
    const std::lock_guard lock(state_.mutex);
    state_.checkpoint_work.notify_all();
    state_.acks_written.notify_all();
  }
  thread_.join();
}

void Checkpointer::run() {
  Lock lock(state_.mutex);
  while (wait_for_cause(lock)) {
    lock.unlock();
    if (const Result<> written = write(); !written.ok()) {
      if (!std::exchange(is_complaining_, true)) {
        log_error(state_.options.name, "no checkpoint: {}", written.error().message());
      }
    } else {
      is_complaining_ = false;
    }
    for (const auto& lane : state_.lanes) {
      lane->log->give_back_spares();
    }
    lock.lock();
  }
}

// False when the channel closes.
bool Checkpointer::wait_for_cause(Lock& lock) {
  for (;;) {
    if (state_.closing) {
      return false;
    }
    const std::pair now(state_.backlog.next(), state_.ack_requests);
    const bool is_time = SteadyClock::now() >= last_ + state_.options.checkpoint_interval;
    if ((is_time && now != written_) || segments_begun() >= begun_by_last_ + kMostSegmentsBetween ||
        (std::exchange(state_.checkpoint_wanted, false) && !unneeded().empty())) {
      return true;
    }
    state_.checkpoint_work.wait_for(lock, kLookAgain);
  }
}

std::uint64_t Checkpointer::segments_begun() const {
  std::uint64_t begun = 0;
  for (const auto& lane : state_.lanes) {
    begun += lane->last_order;
  }
  return begun;
}

// Segments that are written no more and hold no event that is still in the channel. Those of other
// dirs have some of the numbers in between: an event there keeps this segment a little longer.
std::vector<Checkpointer::Freed> Checkpointer::unneeded() const {
  std::vector<Freed> found;
  for (const auto& lane : state_.lanes) {
    for (const SegmentPtr& segment : lane->segments) {
      const bool is_read = lane->unread && segment->order >= lane->unread->segment->order;
      if (segment != lane->segments.back() && !is_read &&
          !state_.backlog.live().intersects(segment->numbers)) {
        found.push_back({lane.get(), segment});
      }
    }
  }
  return found;
}

Result<> Checkpointer::write() {
  Lock lock(state_.mutex);
  std::vector<Freed> freed = state_.closing ? std::vector<Freed>() : unneeded();
  const std::pair now(state_.backlog.next(), state_.ack_requests);
  if (!freed.empty() && !write_acks_again(lock)) {
    freed.clear();
  }
  const Checkpoint checkpoint = snapshot(freed);
  begun_by_last_ = segments_begun();
  lock.unlock();
  last_ = SteadyClock::now();
  const Written written = write_everywhere(checkpoint);
  if (!written.somewhere) {
    return written.trouble;
  }
  written_ = now;
  recycle(freed);
  return written.trouble;
}

// One that is durable is enough to free segments: a start takes the newest that it can use.
Checkpointer::Written Checkpointer::write_everywhere(const Checkpoint& checkpoint) {
  Written written;
  const std::vector<std::filesystem::path> dirs = state_.options.checkpoint_dirs();
  for (const std::filesystem::path& dir : dirs) {
    Result<> each = write_checkpoint(state_.services.files, dir, checkpoint);
    if (each.ok()) {
      written.somewhere = true;
    } else {
      (dir == dirs.front() ? state_.checkpoint_errors : state_.backup_errors).add();
      written.trouble = std::move(each).error().with(dir.string());
    }
  }
  return written;
}

// False when they are not durable in time. A log without room tries again each second and gets that
// time too; when there is none still, they go with the first group that is written into what is
// freed now: else a full disk would stay full.
bool Checkpointer::write_acks_again(Lock& lock) {
  state_.acks_urgent = true;
  state_.add_acks(state_.backlog.gone(), state_.intents);
  const std::uint64_t wanted = state_.ack_requests;
  state_.acks_written.wait_for(lock, kAcksDeadline,
                               [&] { return state_.closing || state_.acks_durable() >= wanted; });
  const bool has_no_room = state_.lane_for_acks() == nullptr && !state_.closing;
  return state_.acks_durable() >= wanted || has_no_room;
}

Checkpoint Checkpointer::snapshot(const std::vector<Freed>& freed) const {
  Checkpoint checkpoint;
  checkpoint.channel = state_.channel;
  checkpoint.next = state_.backlog.next();
  checkpoint.dropped = state_.backlog.dropped();
  checkpoint.void_numbers = state_.backlog.void_numbers();
  checkpoint.intents = state_.intents;
  EventRanges in_flight = state_.in_flight();
  for (const auto& lane : state_.lanes) {
    for (const EventRange& range : lane->unsynced.all()) {
      // What has left is no more in doubt: its segment may be gone.
      for (const EventRange& part : state_.backlog.live().within(range)) {
        in_flight.add(part);
      }
    }
  }
  for (const EventRange& range : state_.backlog.unlogged().all()) {
    in_flight.add(range);  // A kill loses them, and a stop may still write them.
  }
  checkpoint.in_flight = in_flight.all();
  EventRanges live = state_.backlog.live();
  for (const EventRange& range : checkpoint.in_flight) {
    live.remove(range);
  }
  checkpoint.live = live.all();
  for (const auto& lane : state_.lanes) {
    CheckpointDir dir{lane->directory, lane->synced_order, lane->synced_offset, {}};
    for (const SegmentPtr& segment : lane->segments) {
      const bool is_freed = std::any_of(freed.begin(), freed.end(),
                                        [&](const Freed& f) { return f.segment == segment; });
      if (!is_freed) {
        dir.segments.push_back({segment_slot(segment->path.filename().string()), segment->order,
                                segment->generation, segment->numbers, segment->end});
      }
    }
    checkpoint.dirs.push_back(std::move(dir));
  }
  return checkpoint;
}

void Checkpointer::recycle(const std::vector<Freed>& freed) {
  {
    const std::lock_guard lock(state_.mutex);
    for (const Freed& each : freed) {
      std::erase(each.lane->segments, each.segment);
      each.segment->file.reset();
    }
  }
  for (const Freed& each : freed) {
    each.lane->log->add_spare({each.segment->path});
    each.lane->work.notify_one();  // It may have had no segment to write to.
  }
}

}  // namespace millrace::file_channel
