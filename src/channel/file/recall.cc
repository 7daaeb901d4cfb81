#include "channel/file/recall.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/quarantine.h"
#include "channel/file/segment_reader.h"

namespace millrace::file_channel {
namespace {

constexpr auto kTryAgainAfter = std::chrono::seconds(1);
constexpr std::uint64_t kMostEvents = 1000;  // Of one call, and the rest of their last records.

// A segment that may hold wanted events, as it was under the lock.
struct Place {
  SegmentPtr segment;
  std::uint64_t from;
  std::uint64_t end;
  EventNumber next;  // Behind the numbers of the puts before `from`.
};

// Wanted events come back in their order, as a rule: what was gone through before them is not read
// again.
std::vector<Place> places_of(const State& state, const EventRanges& wanted) {
  const EventNumber first = wanted.all().front().first;
  std::vector<Place> places;
  for (const auto& lane : state.lanes) {
    for (const SegmentPtr& segment : lane->segments) {
      if (wanted.intersects(segment->numbers)) {
        const bool goes_on = segment->recalled.number <= first;
        places.push_back({segment, goes_on ? segment->recalled.offset : kFirstRecord, segment->end,
                          goes_on ? segment->recalled.number : 0});
      }
    }
  }
  return places;
}

// A record is read once: all wanted events of it come back.
Result<> load_wanted(State& state, const Place& place, const File& file,
                     const SegmentScanner::Record& record, std::vector<LoadedRun>& runs) {
  const std::uint64_t end = record.offset + round_up(record.header.length, kRecordAlignment);
  Loaded loaded = TRY(load_events(file, place.segment->records(), record.offset, end, 0,
                                  record.header.length, state.services.slabs));
  set_aside(state.services.files, state.options, *place.segment, file, loaded.damaged_bytes);
  for (const LoadedRun& run : loaded.runs) {
    std::vector<EventRange> parts;
    {
      const std::lock_guard lock(state.mutex);
      parts = state.backlog.wanted_back().within({run.first, run.first + run.batch->size()});
    }
    for (const EventRange& part : parts) {
      const BatchPtr few = run.batch->slice(part.first - run.first, part.end - run.first);
      const BatchPtr copy = few->compact(state.services.slabs);
      runs.push_back({part.first, copy != nullptr ? copy : few});
    }
  }
  return {};
}

// The wanted runs of one segment, found by the headers of its records, which stand in the order of
// their numbers.
Result<> find_runs(State& state, Place& place, const EventRanges& wanted,
                   std::vector<LoadedRun>& runs) {
  const std::unique_ptr<File> file =
      TRY(state.services.files.open(place.segment->path, OpenMode::kRead));
  SegmentScanner scanner(*file, place.segment->records(), place.from, place.end);
  while (const std::optional<SegmentScanner::Record> record = TRY(scanner.next())) {
    const RecordHeader& header = record->header;
    if (header.magic != kPutMagic) {
      continue;
    }
    if (header.first >= wanted.upper_bound()) {
      break;
    }
    const EventRange numbers{header.first, header.first + header.entries};
    if (wanted.intersects(numbers)) {
      TRY(load_wanted(state, place, *file, *record, runs));
    }
    place.from = record->offset + round_up(header.length, kRecordAlignment);
    place.next = numbers.end;
  }
  return {};
}

}  // namespace

void recall(State& state, std::unique_lock<std::mutex>& lock) {
  state.recalling = true;
  const EventRanges wanted = state.backlog.wanted_back().lowest(kMostEvents);
  std::vector<Place> places = places_of(state, wanted);
  lock.unlock();
  std::vector<LoadedRun> runs;
  Result<> found;
  for (Place& place : places) {
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
  for (const Place& place : places) {
    place.segment->recalled = {place.from, place.next};
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
