#include "channel/file/log_contents.h"

#include <algorithm>

#include "channel/file/key_check.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

class LogReader {
 public:
  explicit LogReader(FileSystem& files) : files_(files) {}

  // All of the log; what was written after `checkpoint`, where it is not null.
  Result<LogContents> read(const std::vector<FoundDir>& found, const Identity& identity,
                           const Checkpoint* checkpoint);
  const LogReading& reading() const { return log_; }

 private:
  Result<DirContents> read_dir(const FoundDir& found, const CheckpointDir* known);
  static std::uint64_t end_by_next(const std::vector<FoundSegment>& segments, std::size_t i);
  Result<> scan(SegmentContents& segment, std::uint64_t from, std::uint64_t known_end);
  Result<> take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                       SegmentContents& segment);

  FileSystem& files_;
  LogReading log_;
  bool is_later_ = false;  // The segment that is read: begun after the checkpoint.
};

Result<LogContents> LogReader::read(const std::vector<FoundDir>& found, const Identity& identity,
                                    const Checkpoint* checkpoint) {
  LogContents log;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const CheckpointDir* const known =
        checkpoint != nullptr ? part_of(*checkpoint, identity.directories[i]) : nullptr;
    log.dirs.push_back(TRY(read_dir(found[i], known)));
  }
  return log;
}

Result<DirContents> LogReader::read_dir(const FoundDir& found, const CheckpointDir* known) {
  DirContents dir{{}, known != nullptr ? known->order : 0};
  for (std::size_t i = 0; i < found.segments.size(); ++i) {
    SegmentContents segment;
    segment.found = found.segments[i];
    const std::uint64_t order = segment.found.header.order;
    dir.last_order = std::max(dir.last_order, order);
    std::uint64_t from = kFirstRecord;
    is_later_ = known == nullptr || order > known->order;
    if (!is_later_) {
      const auto listed = std::find_if(known->segments.begin(), known->segments.end(),
                                       [&](const CheckpointSegment& each) {
                                         return each.generation == segment.found.header.generation;
                                       });
      segment.is_needed = listed != known->segments.end();
      if (segment.is_needed) {
        segment.numbers = listed->numbers;
        segment.end = listed->end;
        from = order == known->order ? known->offset : listed->end;
        segment.durable_end = from;
      }
    }
    const std::uint64_t known_end = end_by_next(found.segments, i);
    if (known_end != UINT64_MAX) {
      segment.durable_end = known_end;
    }
    if (segment.is_needed && (known == nullptr || order >= known->order)) {
      TRY(scan(segment, from, known_end).with(segment.found.path.string()));
    }
    dir.segments.push_back(std::move(segment));
  }
  return dir;
}

// Where the records of segment `i` end by what the header of the next one says; UINT64_MAX when it
// says nothing. The very next one that speaks of another before it was written after the first
// group of this one had failed: nothing in this one counts, its group is in the next.
std::uint64_t LogReader::end_by_next(const std::vector<FoundSegment>& segments, std::size_t i) {
  if (i + 1 == segments.size()) {
    return UINT64_MAX;
  }
  const SegmentHeader& next = segments[i + 1].header;
  if (next.previous_generation == segments[i].header.generation) {
    return next.previous_end;
  }
  return next.order == segments[i].header.order + 1 ? kFirstRecord : UINT64_MAX;
}

Result<> LogReader::scan(SegmentContents& segment, std::uint64_t from, std::uint64_t known_end) {
  const std::unique_ptr<File> file = TRY(files_.open(segment.found.path, OpenMode::kRead));
  SegmentScanner scanner(*file, segment.found.records(), from, known_end);
  while (const std::optional<SegmentScanner::Record> record = TRY(scanner.next())) {
    TRY(take_record(scanner, *record, segment));
  }
  segment.end = known_end != UINT64_MAX ? known_end : scanner.end_of_records();
  segment.damaged = scanner.damaged();
  segment.incomplete = scanner.incomplete();
  return {};
}

Result<> LogReader::take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                                SegmentContents& segment) {
  const RecordHeader& header = record.header;
  if (header.magic == kPutMagic) {
    const EventRange numbers{header.first, header.first + header.entries};
    log_.puts.add(numbers);
    if (is_later_) {
      log_.later.add(numbers);
    }
    segment.numbers = segment.numbers.empty()
                          ? numbers
                          : EventRange{std::min(segment.numbers.first, numbers.first),
                                       std::max(segment.numbers.end, numbers.end)};
    return {};
  }
  if (segment.found.is_locked()) {
    segment.has_locked_acknowledgements = true;
    return {};
  }
  Result<Acknowledged> acknowledged = scanner.acknowledged(record);
  if (!acknowledged.ok() && acknowledged.error().fault() == Fault::kCorrupt) {
    segment.damaged_acknowledgements.push_back({record.offset, record.offset + header.length});
    return {};
  }
  log_.dropped = std::max(log_.dropped, header.dropped);
  if (header.first > log_.voids.below) {
    log_.voids = {header.first, static_cast<std::uint64_t>(header.time_ms)};
  }
  const Acknowledged what = TRY(std::move(acknowledged));
  for (const EventRange& range : what.events) {
    log_.acks.add(range);
  }
  log_.intents.add(what.intents);
  return {};
}

// A segment that the checkpoint speaks of and that is not there, or is another by now.
std::optional<Path> absent_segment(const std::vector<FoundDir>& found, const Identity& identity,
                                   const Checkpoint& checkpoint) {
  for (std::size_t dir = 0; dir < found.size(); ++dir) {
    const CheckpointDir* const known = part_of(checkpoint, identity.directories[dir]);
    if (known == nullptr) {
      continue;  // Added later.
    }
    for (const CheckpointSegment& segment : known->segments) {
      const bool is_there = std::any_of(
          found[dir].segments.begin(), found[dir].segments.end(), [&](const FoundSegment& each) {
            return each.slot == segment.slot && each.header.generation == segment.generation;
          });
      if (!is_there) {
        return segment_path(found[dir].path, segment.slot);
      }
    }
  }
  return std::nullopt;
}

// Whether one of the numbers put later is one that the checkpoint had seen put before: it is of
// another past. In flight then, or not given yet, it may come later.
bool knows_other_puts(const Checkpoint& checkpoint, const EventRanges& later) {
  EventRanges expected;
  expected.add({checkpoint.next, UINT64_MAX});
  for (const EventRange& range : checkpoint.in_flight) {
    expected.add(range);
  }
  return later.common(expected).count() != later.count();
}

}  // namespace

Result<std::vector<FoundDir>> survey_dirs(FileSystem& files, const std::vector<Path>& dirs,
                                          const Identity& identity, const Keyring& keys) {
  std::vector<FoundDir> found;
  for (std::size_t i = 0; i < dirs.size(); ++i) {
    found.push_back(TRY(survey(files, dirs[i], identity.channel, identity.directories[i], keys)));
  }
  return found;
}

Result<LogContents> read_whole_log(FileSystem& files, const std::vector<FoundDir>& found,
                                   const Identity& identity,
                                   const std::optional<Checkpoint>& newest) {
  LogReader reader(files);
  LogContents log = TRY(reader.read(found, identity, nullptr));
  log.events = reckon(newest, false, reader.reading());
  TRY(expect_keys(files, log));
  return log;
}

Result<FittedLog> read_log(FileSystem& files, const std::vector<FoundDir>& found,
                           const Identity& identity, std::span<const Checkpoint> newest_first) {
  FittedLog fitted;
  for (const Checkpoint& checkpoint : newest_first) {
    if (const auto absent = absent_segment(found, identity, checkpoint)) {
      fitted.misfits.push_back("speaks of " + absent->string() +
                               ", which is not there, or is another by now");
      continue;
    }
    LogReader reader(files);
    fitted.log = TRY(reader.read(found, identity, &checkpoint));
    if (knows_other_puts(checkpoint, reader.reading().later)) {
      fitted.misfits.emplace_back("is of an earlier day: the log went on without it");
      continue;
    }
    fitted.log.events = reckon(checkpoint, true, reader.reading());
    TRY(expect_keys(files, fitted.log));
    return fitted;
  }
  fitted.log = TRY(
      read_whole_log(files, found, identity,
                     newest_first.empty() ? std::nullopt : std::optional(newest_first.front())));
  return fitted;
}

}  // namespace millrace::file_channel
