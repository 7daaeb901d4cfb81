#include "channel/file/recovery.h"

#include <algorithm>
#include <map>

#include "base/log.h"
#include "channel/file/checkpointer.h"
#include "channel/file/segment_reader.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// A segment file with a whole header.
struct FoundSegment {
  SegmentHeader header;
  std::uint64_t slot = 0;
  Path path;
};

struct FoundDir {
  std::vector<FoundSegment> segments;  // In their order.
  std::vector<Spare> spares;
  std::uint64_t last_slot = 0;
};

class Recovery {
 public:
  Recovery(FileSystem& files, const std::string& name, const Identity& identity,
           const std::vector<Path>& dirs, const std::optional<Checkpoint>& checkpoint)
      : files_(files), name_(name), identity_(identity), dirs_(dirs), checkpoint_(checkpoint) {}

  Result<Recovered> run() {
    for (std::size_t i = 0; i < dirs_.size(); ++i) {
      found_.push_back(TRY(look(i)));
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
    settle();
    return std::move(recovered_);
  }

 private:
  Result<FoundDir> look(std::size_t dir);
  Result<> look_at_segment(std::size_t dir, FoundSegment candidate, FoundDir& found);
  Result<> set_aside(const FoundSegment& segment, const File& file, FoundDir& found);
  bool checkpoint_fits() const;
  const CheckpointDir* checkpoint_of(std::size_t dir) const;
  Result<> read_dir(std::size_t dir);
  static std::uint64_t end_by_next(const std::vector<FoundSegment>& segments, std::size_t i);
  Result<> scan(const FoundSegment& found, Segment& segment, std::uint64_t from,
                std::uint64_t known_end);
  Result<> take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                       Segment& segment);
  void report(const SegmentScanner& scanner, const Path& path) const;
  Result<> close_last(const Segment& segment) const;
  void settle();

  FileSystem& files_;
  const std::string& name_;
  const Identity& identity_;
  const std::vector<Path>& dirs_;
  const std::optional<Checkpoint>& checkpoint_;
  bool uses_checkpoint_ = false;
  std::vector<FoundDir> found_;
  EventRanges puts_;  // Seen in the log,
  EventRanges acks_;  // likewise.
  Recovered recovered_;
};

Result<FoundDir> Recovery::look(std::size_t dir) {
  FoundDir found;
  for (const std::string& name : TRY(files_.list(dirs_[dir]))) {
    const std::uint64_t slot = segment_slot(name);
    if (slot > 0) {
      found.last_slot = std::max(found.last_slot, slot);
      TRY(look_at_segment(dir, {{}, slot, dirs_[dir] / name}, found));
    }
  }
  std::sort(
      found.segments.begin(), found.segments.end(),
      [](const FoundSegment& a, const FoundSegment& b) { return a.header.order < b.header.order; });
  return found;
}

Result<> Recovery::look_at_segment(std::size_t dir, FoundSegment candidate, FoundDir& found) {
  const std::unique_ptr<File> file = TRY(files_.open(candidate.path, OpenMode::kRead));
  std::string block(kBlock, '\0');
  block.resize(TRY(file->read_at(block, 0)));
  const std::optional<SegmentHeader> header =
      TRY(decode_segment_header(block).with(candidate.path.string()));
  if (!header) {
    return set_aside(candidate, *file, found);
  }
  if (header->channel != identity_.channel || header->directory != identity_.directories[dir]) {
    return bad_config(candidate.path.string() + " belongs to another channel or data dir");
  }
  candidate.header = *header;
  found.segments.push_back(std::move(candidate));
  return {};
}

// Without a header: never written to, so a spare; or damaged, then it is kept under another name.
Result<> Recovery::set_aside(const FoundSegment& segment, const File& file, FoundDir& found) {
  std::string start(sizeof(RecordHeader), '\0');
  start.resize(TRY(file.read_at(start, kFirstRecord)));
  if (start.find_first_not_of('\0') == std::string::npos) {
    found.spares.push_back({segment.path});
    return {};
  }
  Path kept = segment.path;
  kept.replace_extension(".damaged");
  log_error(name_, "the header of {} is damaged: the file is kept as {}", segment.path.string(),
            kept.string());
  TRY(files_.rename(segment.path, kept));
  return files_.sync_directory(kept.parent_path());
}

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
  report(scanner, found.path);
  return {};
}

Result<> Recovery::take_record(SegmentScanner& scanner, const SegmentScanner::Record& record,
                               Segment& segment) {
  const RecordHeader& header = record.header;
  if (header.magic == kPutMagic) {
    const EventRange numbers{header.first, header.first + header.entries};
    puts_.add(numbers);
    segment.numbers = segment.numbers.empty()
                          ? numbers
                          : EventRange{std::min(segment.numbers.first, numbers.first),
                                       std::max(segment.numbers.end, numbers.end)};
    return {};
  }
  recovered_.dropped = std::max(recovered_.dropped, header.dropped);
  Result<std::vector<EventRange>> ranges = scanner.acknowledged(record);
  if (!ranges.ok() && ranges.error().fault() == Fault::kCorrupt) {
    log_error(name_, "{}: {}; its events may come again", segment.path.string(),
              ranges.error().message());
    return {};
  }
  for (const EventRange& range : TRY(std::move(ranges))) {
    acks_.add(range);
  }
  return {};
}

void Recovery::report(const SegmentScanner& scanner, const Path& path) const {
  for (const ByteRange& bytes : scanner.damaged()) {
    log_error(name_, "{}: bytes {} to {} are damaged: no record could be read there", path.string(),
              bytes.from, bytes.to);
  }
  if (const std::optional<ByteRange> bytes = scanner.incomplete()) {
    log_warning(name_,
                "{}: the record at byte {} is incomplete: of its events those that are whole are "
                "delivered",
                path.string(), bytes->from);
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

// From what the checkpoint knew and what was seen behind it, what is in the channel.
void Recovery::settle() {
  recovered_.next = std::max(puts_.upper_bound(), acks_.upper_bound());
  EventRanges possible;  // Numbers whose fate the log alone tells.
  EventRanges lost;
  if (checkpoint_) {
    recovered_.next = std::max(recovered_.next, checkpoint_->next);
    recovered_.dropped = std::max(recovered_.dropped, checkpoint_->dropped);
    recovered_.void_numbers = checkpoint_->void_numbers;
    possible.add({checkpoint_->next, recovered_.next});
    for (const EventRange& range : checkpoint_->in_flight) {
      possible.add(range);
    }
    for (const EventRange& range : checkpoint_->live) {
      (uses_checkpoint_ ? recovered_.live : lost).add(range);
    }
  } else {
    possible.add({0, recovered_.next});
  }
  for (const EventRange& range : puts_.all()) {
    lost.remove(range);
    for (const EventRange& part :
         uses_checkpoint_ ? possible.within(range) : std::vector<EventRange>{range}) {
      recovered_.live.add(part);
    }
    possible.remove(range);
  }
  for (const EventRange& range : acks_.all()) {
    recovered_.live.remove(range);
    lost.remove(range);
    if (!uses_checkpoint_) {
      possible.remove(range);  // Put and delivered, as far as anybody can tell.
    }
  }
  recovered_.void_numbers += possible.count();  // Given to puts that never became durable.
  if (!lost.empty()) {
    recovered_.dropped += lost.count();
    log_error(name_, "{} events lost: the checkpoint knew of them, the log does not hold them",
              lost.count());
  }
}

}  // namespace

Result<std::optional<Checkpoint>> read_checkpoint(FileSystem& files, const std::string& name,
                                                  const Path& dir) {
  const Path path = checkpoint_path(dir);
  if (!files.exists(path)) {
    return std::optional<Checkpoint>();
  }
  const std::string bytes = TRY(read_file(files, path));
  Result<Checkpoint> checkpoint = decode_checkpoint(bytes);
  if (!checkpoint.ok() && checkpoint.error().fault() == Fault::kConfig) {
    return std::move(checkpoint).error().with(path.string());
  }
  if (!checkpoint.ok()) {
    log_error(name, "{} cannot be used: {}", path.string(), checkpoint.error().message());
    return std::optional<Checkpoint>();
  }
  return std::optional<Checkpoint>(std::move(checkpoint).value());
}

Result<Recovered> recover(FileSystem& files, const std::string& name, const Identity& identity,
                          const std::vector<Path>& dirs,
                          const std::optional<Checkpoint>& checkpoint) {
  return Recovery(files, name, identity, dirs, checkpoint).run();
}

}  // namespace millrace::file_channel
