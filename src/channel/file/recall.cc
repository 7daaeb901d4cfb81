#include "channel/file/recall.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/quarantine.h"
#include "channel/file/segment_reader.h"

namespace millrace::file_channel {
namespace {

constexpr auto kTryAgainAfter = std::chrono::seconds(1);
constexpr std::uint64_t kMostEvents = 1000;  // Of one call.

// A segment that may hold wanted events, as it was under the lock.
struct Place {
  SegmentPtr segment;
  std::uint64_t end;
};

EventRanges first_wanted(const Backlog& backlog) {
  EventRanges wanted;
  for (const EventRange& range : backlog.wanted_back().all()) {
    const std::uint64_t left = kMostEvents - wanted.count();
    wanted.add({range.first, std::min(range.end, range.first + left)});
    if (wanted.count() == kMostEvents) {
      break;
    }
  }
  return wanted;
}

std::vector<Place> places_of(const State& state, const EventRanges& wanted) {
  std::vector<Place> places;
  for (const auto& lane : state.lanes) {
    for (const SegmentPtr& segment : lane->segments) {
      if (wanted.intersects(segment->numbers)) {
        places.push_back({segment, segment->end});
      }
    }
  }
  return places;
}

// The wanted runs of one segment, found by the headers of its records.
Result<> find_runs(State& state, const Place& place, const EventRanges& wanted,
                   std::vector<LoadedRun>& runs) {
  const std::unique_ptr<File> file =
      TRY(state.services.files.open(place.segment->path, OpenMode::kRead));
  SegmentScanner scanner(*file, place.segment->records(), kFirstRecord, place.end);
  while (const std::optional<SegmentScanner::Record> record = TRY(scanner.next())) {
    const RecordHeader& header = record->header;
    if (header.magic != kPutMagic ||
        !wanted.intersects({header.first, header.first + header.entries})) {
      continue;
    }
    const std::uint64_t end = record->offset + round_up(header.length, kRecordAlignment);
    Loaded loaded = TRY(load_events(*file, place.segment->records(), record->offset, end, 0,
                                    header.length, state.services.slabs));
    set_aside(state.services.files, state.options, *place.segment, *file, loaded.damaged_bytes);
    for (const LoadedRun& run : loaded.runs) {
      for (const EventRange& part : wanted.within({run.first, run.first + run.batch->size()})) {
        const BatchPtr few = run.batch->slice(part.first - run.first, part.end - run.first);
        const BatchPtr copy = few->compact(state.services.slabs);
        runs.push_back({part.first, copy != nullptr ? copy : few});
      }
    }
  }
  return {};
}

}  // namespace

void recall(State& state, std::unique_lock<std::mutex>& lock) {
  state.recalling = true;
  const EventRanges wanted = first_wanted(state.backlog);
  const std::vector<Place> places = places_of(state, wanted);
  lock.unlock();
  std::vector<LoadedRun> runs;
  Result<> found;
  for (const Place& place : places) {
    found = find_runs(state, place, wanted, runs);
    if (!found.ok()) {
      break;
    }
  }
  lock.lock();
  state.recalling = false;
  if (!found.ok()) {
    state.take_errors.add();
    state.recall_again_at = std::chrono::steady_clock::now() + kTryAgainAfter;
    log_error(state.options.name, "{}", found.error().message());
    return;
  }
  for (const LoadedRun& run : runs) {
    state.backlog.came_back({run.first, run.first + run.batch->size()});
    state.backlog.add_ready(Chunk::whole(run.batch, run.first));
  }
  std::uint64_t lost = 0;
  for (const EventRange& range : wanted.all()) {
    for (const EventRange& part : state.backlog.wanted_back().within(range)) {
      state.backlog.came_back(part);
      lost += state.backlog.lose(part);
      state.add_acks({&part, 1});
    }
  }
  if (lost > 0) {
    log_error(state.options.name, "{} held events lost: their records are damaged", lost);
  }
  state.takers.wake_one();
}

}  // namespace millrace::file_channel
