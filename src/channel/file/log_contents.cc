#include "channel/file/log_contents.h"

#include <algorithm>

#include "channel/file/key_check.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

class LogReader {
 public:
  explicit LogReader(FileSystem& files) : files_(files) {}

  // `known`: what a checkpoint that fits says of the dir; null without.
  Result<DirContents> read_dir(const FoundDir& found, const CheckpointDir* known);
  const LogReading& reading() const { return log_; }

 private:
  static std::uint64_t end_by_next(const std::vector<FoundSegment>& segments, std::size_t i);
  Result<> scan(SegmentContents& segment, std::uint64_t from, std::uint64_t known_end);
  Result<> take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                       SegmentContents& segment);

  FileSystem& files_;
  LogReading log_;
};

Result<DirContents> LogReader::read_dir(const FoundDir& found, const CheckpointDir* known) {
  DirContents dir{{}, known != nullptr ? known->order : 0};
  for (std::size_t i = 0; i < found.segments.size(); ++i) {
    SegmentContents segment;
    segment.found = found.segments[i];
    const std::uint64_t order = segment.found.header.order;
    dir.last_order = std::max(dir.last_order, order);
    std::uint64_t from = kFirstRecord;
    if (known != nullptr && order <= known->order) {
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
  Result<std::vector<EventRange>> ranges = scanner.acknowledged(record);
  if (!ranges.ok() && ranges.error().fault() == Fault::kCorrupt) {
    segment.damaged_acknowledgements.push_back({record.offset, record.offset + header.length});
    return {};
  }
  log_.dropped = std::max(log_.dropped, header.dropped);
  if (header.first > log_.voids.below) {
    log_.voids = {header.first, static_cast<std::uint64_t>(header.time_ms)};
  }
  for (const EventRange& range : TRY(std::move(ranges))) {
    log_.acks.add(range);
  }
  return {};
}

}  // namespace

const CheckpointDir* part_of(const Checkpoint& checkpoint, const Id& directory) {
  const auto found =
      std::find_if(checkpoint.dirs.begin(), checkpoint.dirs.end(),
                   [&](const CheckpointDir& each) { return each.directory == directory; });
  return found == checkpoint.dirs.end() ? nullptr : &*found;
}

Result<std::vector<FoundDir>> survey_dirs(FileSystem& files, const std::vector<Path>& dirs,
                                          const Identity& identity, const Keyring& keys) {
  std::vector<FoundDir> found;
  for (std::size_t i = 0; i < dirs.size(); ++i) {
    found.push_back(TRY(survey(files, dirs[i], identity.channel, identity.directories[i], keys)));
  }
  return found;
}

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

Result<LogContents> read_log(FileSystem& files, const std::vector<FoundDir>& found,
                             const Identity& identity, const std::optional<Checkpoint>& checkpoint,
                             bool fits) {
  LogReader reader(files);
  LogContents log;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const CheckpointDir* const known =
        fits ? part_of(*checkpoint, identity.directories[i]) : nullptr;
    log.dirs.push_back(TRY(reader.read_dir(found[i], known)));
  }
  log.events = reckon(checkpoint, fits, reader.reading());
  TRY(expect_keys(files, log));
  return log;
}

}  // namespace millrace::file_channel
