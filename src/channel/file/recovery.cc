#include "channel/file/recovery.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/quarantine.h"
#include "channel/file/segment_reader.h"
#include "channel/file/segment_survey.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

class Recovery {
 public:
  Recovery(FileSystem& files, const Options& options, const Identity& identity,
           const std::optional<Checkpoint>& checkpoint)
      : files_(files),
        options_(options),
        name_(options.name),
        dirs_(options.data_dirs),
        identity_(identity),
        checkpoint_(checkpoint) {}

  Result<Recovered> run() {
    for (std::size_t i = 0; i < dirs_.size(); ++i) {
      found_.push_back(
          TRY(survey(files_, name_, dirs_[i], identity_.channel, identity_.directories[i])));
    }
    uses_checkpoint_ = checkpoint_.has_value() && checkpoint_fits();
    const bool is_new = std::all_of(found_.begin(), found_.end(),
                                    [](const FoundDir& dir) { return dir.segments.empty(); });
    if (!uses_checkpoint_ && !is_new) {
      log_warning(name_, "no usable checkpoint: all records of the log are gone through");
    }
    for (std::size_t i = 0; i < dirs_.size(); ++i) {
      TRY(read_dir(i));
    }
    recovered_.used_checkpoint = uses_checkpoint_;
    recovered_.events = reckon(checkpoint_, uses_checkpoint_, log_);
    if (const std::uint64_t lost = recovered_.events.lost; lost > 0) {
      log_error(name_, "{} events lost: the checkpoint knew of them, the log does not hold them",
                lost);
    }
    return std::move(recovered_);
  }

 private:
  bool checkpoint_fits() const;
  const CheckpointDir* checkpoint_of(std::size_t dir) const;
  Result<> read_dir(std::size_t dir);
  static std::uint64_t end_by_next(const std::vector<FoundSegment>& segments, std::size_t i);
  Result<> scan(const FoundSegment& found, Segment& segment, std::uint64_t from,
                std::uint64_t known_end);
  Result<> take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                       Segment& segment);
  void report(const SegmentScanner& scanner, const Segment& segment, const File& file) const;
  Result<> close_last(const Segment& segment) const;

  FileSystem& files_;
  const Options& options_;
  const std::string& name_;
  const std::vector<Path>& dirs_;
  const Identity& identity_;
  const std::optional<Checkpoint>& checkpoint_;
  bool uses_checkpoint_ = false;
  std::vector<FoundDir> found_;
  LogReading log_;
  Recovered recovered_;
};

const CheckpointDir* Recovery::checkpoint_of(std::size_t dir) const {
  if (!checkpoint_) {
    return nullptr;
  }
  for (const CheckpointDir& each : checkpoint_->dirs) {
    if (each.directory == identity_.directories[dir]) {
      return &each;
    }
  }
  return nullptr;
}

// Every segment that it knows is there, with the generation that it knows.
bool Recovery::checkpoint_fits() const {
  for (std::size_t dir = 0; dir < dirs_.size(); ++dir) {
    const CheckpointDir* const known = checkpoint_of(dir);
    if (known == nullptr) {
      continue;  // Added later.
    }
    for (const CheckpointSegment& segment : known->segments) {
      const bool is_there = std::any_of(
          found_[dir].segments.begin(), found_[dir].segments.end(), [&](const FoundSegment& found) {
            return found.slot == segment.slot && found.header.generation == segment.generation;
          });
      if (!is_there) {
        log_error(name_, "the checkpoint speaks of {}, which is not there, or is another by now",
                  segment_path(dirs_[dir], segment.slot).string());
        return false;
      }
    }
  }
  return true;
}

Result<> Recovery::read_dir(std::size_t dir) {
  const FoundDir& found = found_[dir];
  const CheckpointDir* const known = uses_checkpoint_ ? checkpoint_of(dir) : nullptr;
  RecoveredDir result{{}, found.spares, known != nullptr ? known->order : 0, found.last_slot};
  for (std::size_t i = 0; i < found.segments.size(); ++i) {
    const FoundSegment& each = found.segments[i];
    auto segment = std::make_shared<Segment>();
    segment->path = each.path;
    segment->order = each.header.order;
    segment->generation = each.header.generation;
    result.last_order = std::max(result.last_order, each.header.order);
    std::uint64_t from = kFirstRecord;
    if (known != nullptr && each.header.order <= known->order) {
      const auto listed = std::find_if(
          known->segments.begin(), known->segments.end(),
          [&](const CheckpointSegment& s) { return s.generation == each.header.generation; });
      if (listed == known->segments.end()) {
        result.spares.push_back({each.path});
        continue;
      }
      segment->numbers = listed->numbers;
      segment->end = listed->end;
      from = each.header.order == known->order ? known->offset : listed->end;
    }
    const std::uint64_t known_end = end_by_next(found.segments, i);
    if (known == nullptr || each.header.order >= known->order) {
      TRY(scan(each, *segment, from, known_end).with(each.path.string()));
    }
    result.segments.push_back(std::move(segment));
  }
  if (!result.segments.empty()) {
    TRY(close_last(*result.segments.back()));
  }
  recovered_.dirs.push_back(std::move(result));
  return {};
}

// Where the records of segment `i` end by what the header of the next one says; UINT64_MAX when it
// says nothing. The very next one that speaks of another before it was written after the first
// group of this one had failed: nothing in this one counts, its group is in the next.
std::uint64_t Recovery::end_by_next(const std::vector<FoundSegment>& segments, std::size_t i) {
  if (i + 1 == segments.size()) {
    return UINT64_MAX;
  }
  const SegmentHeader& next = segments[i + 1].header;
  if (next.previous_generation == segments[i].header.generation) {
    return next.previous_end;
  }
  return next.order == segments[i].header.order + 1 ? kFirstRecord : UINT64_MAX;
}

Result<> Recovery::scan(const FoundSegment& found, Segment& segment, std::uint64_t from,
                        std::uint64_t known_end) {
  const std::unique_ptr<File> file = TRY(files_.open(found.path, OpenMode::kRead));
  SegmentScanner scanner(*file, found.header.generation, from, known_end);
  while (const std::optional<SegmentScanner::Record> record = TRY(scanner.next())) {
    TRY(take_record(scanner, *record, segment));
  }
  segment.end = known_end != UINT64_MAX ? known_end : scanner.end_of_records();
  report(scanner, segment, *file);
  return {};
}

Result<> Recovery::take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                               Segment& segment) {
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
  log_.dropped = std::max(log_.dropped, header.dropped);
  Result<std::vector<EventRange>> ranges = scanner.acknowledged(record);
  if (!ranges.ok() && ranges.error().fault() == Fault::kCorrupt) {
    log_error(name_, "{}: {}; its events may come again", segment.path.string(),
              ranges.error().message());
    return {};
  }
  for (const EventRange& range : TRY(std::move(ranges))) {
    log_.acks.add(range);
  }
  return {};
}

void Recovery::report(const SegmentScanner& scanner, const Segment& segment,
                      const File& file) const {
  set_aside(files_, options_, segment, file, scanner.damaged());
  if (const std::optional<ByteRange> bytes = scanner.incomplete()) {
    log_warning(name_,
                "{}: the record at byte {} is incomplete: of its events those that are whole are "
                "delivered",
                segment.path.string(), bytes->from);
  }
}

// The last segment is written on no more: what it does not use goes back to the disk. It is synced
// because a killed process leaves bytes that only the kernel's memory has.
Result<> Recovery::close_last(const Segment& segment) const {
  constexpr std::uint64_t kWorthCutting = std::uint64_t{1} << 20;
  const std::unique_ptr<File> file = TRY(files_.open(segment.path, OpenMode::kReadWrite));
  if (TRY(file->size()) >= segment.end + kWorthCutting) {
    TRY(file->truncate(segment.end));
  }
  return file->sync_data();
}

}  // namespace

Result<Recovered> recover(FileSystem& files, const Options& options, const Identity& identity,
                          const std::optional<Checkpoint>& checkpoint) {
  return Recovery(files, options, identity, checkpoint).run();
}

}  // namespace millrace::file_channel
