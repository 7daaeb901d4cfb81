#include "channel/file/loading.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/quarantine.h"
#include "channel/file/segment_reader.h"

namespace millrace::file_channel {
namespace {

constexpr auto kTryAgainAfter = std::chrono::seconds(1);
constexpr int kGivesWayAfter = 3;  // Reads that failed in a row.
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

// The segment behind `segment`; null when it is the last.
SegmentPtr segment_behind(const Lane& lane, const SegmentPtr& segment) {
  const auto next =
      std::find_if(lane.segments.begin(), lane.segments.end(),
                   [&](const SegmentPtr& other) { return other->order > segment->order; });
  return next != lane.segments.end() ? *next : nullptr;
}

// Goes to the next segment while this one has no more events to read; nothing is unread behind the
// last.
void advance(const State& state, Lane& lane) {
  while (lane.unread) {
    const SegmentPtr segment = lane.unread->segment;
    const bool is_over =
        lane.unread->offset >= segment->end || !state.backlog.live().intersects(segment->numbers);
    const SegmentPtr next = segment_behind(lane, segment);
    if (next == nullptr && lane.unread->offset >= segment->end) {
      lane.unread.reset();
    } else if (next != nullptr && is_over) {
      segment->file.reset();
      lane.unread->segment = next;
      lane.unread->offset = kFirstRecord;
    } else {
      return;
    }
  }
}

void add_loaded(State& state, const Loaded& loaded) {
  for (const LoadedRun& run : loaded.runs) {
    const EventRange numbers{run.first, run.first + run.batch->size()};
    Chunk rest = Chunk::whole(run.batch, run.first);
    for (const EventRange& part : state.backlog.live().within(numbers)) {
      rest.split(static_cast<std::uint32_t>(part.first - rest.first));
      state.backlog.add_ready(rest.split(static_cast<std::uint32_t>(part.count())));
    }
  }
}

void note_damage(State& state, const Segment& segment, const Loaded& loaded) {
  std::uint64_t lost = 0;
  for (const EventRange& range : loaded.damaged_events) {
    for (const EventRange& part : state.backlog.live().within(range)) {
      lost += state.backlog.lose(part);
      state.add_acks({&part, 1});
    }
  }
  if (lost > 0) {
    log_error(state.options.name, "{}: {} events lost in damaged records", segment.path.string(),
              lost);
  }
  state.must_reconcile = state.must_reconcile || !loaded.damaged_bytes.empty();
}

Result<Loaded> read(State& state, const SegmentPtr& segment, std::shared_ptr<File>& file,
                    const Unread& from, std::uint64_t end) {
  if (file == nullptr) {
    file = TRY(state.services.files.open(segment->path, OpenMode::kRead));
  }
  return load_events(*file, segment->records(), from.offset, end, from.least, kReadBytes,
                     state.services.slabs);
}

}  // namespace

Lane* lane_to_load(State& state) {
  Lane* oldest = nullptr;
  for (const auto& lane : state.lanes) {
    if (lane->unread && lane->failed_reads < kGivesWayAfter &&
        (oldest == nullptr || lane->unread->least < oldest->unread->least)) {
      oldest = lane.get();
    }
  }
  const std::optional<EventNumber> ready = state.backlog.first_ready();
  return oldest != nullptr && (!ready || oldest->unread->least <= *ready) ? oldest : nullptr;
}

Lane* lane_to_try_again(State& state) {
  for (const auto& lane : state.lanes) {
    if (lane->unread && !lane->loading && lane->failed_reads >= kGivesWayAfter) {
      return lane.get();
    }
  }
  return nullptr;
}

void load_more(State& state, Lane& lane, std::unique_lock<std::mutex>& lock) {
  lane.loading = true;
  advance(state, lane);
  if (lane.unread) {
    const Unread from = *lane.unread;
    const std::uint64_t end = from.segment->end;
    std::shared_ptr<File> file = from.segment->file;
    lock.unlock();
    Result<Loaded> loaded = read(state, from.segment, file, from, end);
    if (loaded.ok()) {
      set_aside(state.services.files, state.options, *from.segment, *file, loaded->damaged_bytes);
    }
    lock.lock();
    if (loaded.ok()) {
      if (std::exchange(lane.failed_reads, 0) > 0) {
        lane.trouble.clear();
      }
      if (from.segment->file == nullptr) {
        from.segment->file = file;
      }
      add_loaded(state, *loaded);
      note_damage(state, *from.segment, *loaded);
      lane.unread->offset = loaded->next;
      lane.unread->least = std::max(from.least, loaded->next_number);
      advance(state, lane);
    } else {
      state.take_errors.add();
      ++lane.failed_reads;
      if (lane.trouble.empty()) {
        log_error(state.options.name, "{}", loaded.error().message());
      }
      lane.trouble = loaded.error().message();
      lane.load_again_at = std::chrono::steady_clock::now() + kTryAgainAfter;
    }
  }
  lane.loading = false;
  reconcile(state);
  state.takers.wake_one();
}

void reconcile(State& state) {
  if (state.anything_unread() || !std::exchange(state.must_reconcile, false)) {
    return;
  }
  std::uint64_t lost = 0;
  for (const EventRange& range : state.backlog.unaccounted(state.in_flight())) {
    lost += state.backlog.lose(range);
    state.add_acks({&range, 1});
  }
  if (lost > 0) {
    log_error(state.options.name, "{} events lost: the log does not hold them any more", lost);
  }
}

}  // namespace millrace::file_channel
