#include "channel/file/dir_check.h"

#include <algorithm>
#include <iterator>
#include <thread>

#include "channel/file/quarantine.h"

namespace millrace::file_channel {
namespace {

constexpr std::chrono::milliseconds kPause{5};  // Longer than most groups take to be written.

ByteRange bytes_of(const SegmentScanner::Record& record) {
  return {record.offset, record.offset + record.header.length};
}

}  // namespace

struct DirCheck::Open {
  const SegmentContents& segment;
  std::unique_ptr<File> file;
  std::uint64_t limit = 0;         // Where its records end at the latest.
  std::uint64_t bytes_before = 0;  // Of the segments before it.

  std::optional<SegmentScanner> scanner;
  std::size_t gaps = 0;                          // Of the scanner's, dealt with.
  std::uint64_t last_record = 0;                 // Its offset.
  std::optional<std::uint64_t> looked_again_at;  // The last place.
  std::vector<Finding> last_group;               // Until a group behind it shows itself.

  void read_from(std::uint64_t offset) {
    scanner.emplace(*file, segment.found.records(), offset, limit);
    gaps = 0;
  }
};

DirCheck::DirCheck(FileSystem& files, const ChannelView& view, std::size_t dir,
                   const SegmentChoice& wanted)
    : files_(files), view_(view), dir_(view.log.dirs[dir]) {
  for (const SegmentContents& segment : dir_.segments) {
    if (wanted(segment) && !segment.found.is_locked()) {  // Of a locked one nothing is needed.
      segments_.push_back(&segment);
    }
  }
}

DirCheck::~DirCheck() = default;

std::uint64_t DirCheck::planned_bytes() const {
  std::uint64_t bytes = 0;
  for (const SegmentContents* segment : segments_) {
    std::uint64_t end = std::max(segment->end, segment->durable_end);
    if (end == 0) {
      Result<FileStatus> status = files_.status(segment->found.path);
      end = status.ok() ? status->size : 0;
    }
    bytes += end;
  }
  return bytes;
}

Result<std::optional<CheckedPut>> DirCheck::next() {
  while (open_ != nullptr || TRY(open_next())) {
    std::optional<CheckedPut> put = TRY(next_in_segment());
    if (put) {
      return put;
    }
  }
  return std::optional<CheckedPut>();
}

// False behind the last.
Result<bool> DirCheck::open_next() {
  while (next_segment_ < segments_.size()) {
    const SegmentContents& segment = *segments_[next_segment_++];
    Result<std::unique_ptr<File>> file = files_.open(segment.found.path, OpenMode::kRead);
    if (!file.ok() && files_.exists(segment.found.path)) {
      return std::move(file).error();
    }
    if (!file.ok() ||
        generation_now(files_, segment.found.path) != segment.found.header.generation) {
      ++tally_.gone;
      continue;
    }
    open_ = std::make_unique<Open>(
        Open{segment, std::move(file).value(), limit_of(segment), tally_.bytes, {}, 0, 0, {}, {}});
    open_->read_from(kFirstRecord);
    ++tally_.segments;
    return true;
  }
  return false;
}

std::uint64_t DirCheck::limit_of(const SegmentContents& segment) const {
  if (is_newest(segment)) {
    return UINT64_MAX;
  }
  const std::uint64_t end = segment.is_needed ? segment.end : segment.durable_end;
  return end > 0 ? end : UINT64_MAX;
}

// A put; or nothing, when there is more to be seen in this segment or the next.
Result<std::optional<CheckedPut>> DirCheck::next_in_segment() {
  const std::optional<SegmentScanner::Record> record = TRY(open_->scanner->next());
  if (!gap_is_settled()) {
    return std::optional<CheckedPut>();
  }
  tally_.bytes = open_->bytes_before + open_->scanner->end_of_records();
  if (!record) {
    end_segment();
    return std::optional<CheckedPut>();
  }
  open_->last_record = record->offset;
  if (record->offset % kBlock == 0) {
    begin_group();
  }
  if (record->header.magic == kPutMagic) {
    return take_put(*record);
  }
  TRY(take_acknowledgement(*record));
  return std::optional<CheckedPut>();
}

Result<std::optional<CheckedPut>> DirCheck::take_put(const SegmentScanner::Record& record) {
  const std::string_view bytes = TRY(open_->scanner->bytes_of(record));
  CheckedPut put = check_put(record.header, bytes);
  const PutNumbers numbers = numbers_of(put);
  // An encrypted index has a tag in place of a checksum.
  const bool has_index =
      open_->segment.found.key != nullptr || index_is_whole(record.header, bytes);
  if (!numbers.damaged.empty() || !has_index) {
    if (!is_settled(bytes_of(record))) {
      return std::optional<CheckedPut>();
    }
    note(numbers.damaged.empty() ? Finding::Kind::kIndex : Finding::Kind::kEvents, bytes_of(record),
         numbers.damaged);
  }
  ++tally_.puts;
  tally_.whole.add(numbers.whole);
  return std::optional<CheckedPut>(std::move(put));
}

Result<> DirCheck::take_acknowledgement(const SegmentScanner::Record& record) {
  const Result<Acknowledged> acknowledged = open_->scanner->acknowledged(record);
  if (!acknowledged.ok() && acknowledged.error().fault() != Fault::kCorrupt) {
    return acknowledged.error();
  }
  if (!acknowledged.ok() && is_settled(bytes_of(record))) {
    note(Finding::Kind::kAcknowledgement, bytes_of(record));
  }
  if (open_ != nullptr && acknowledged.ok()) {
    ++tally_.acknowledgements;
  }
  return {};
}

// False when the gap that the scanner has passed over is to be seen again, or the segment is gone.
bool DirCheck::gap_is_settled() {
  const std::vector<ByteRange>& gaps = open_->scanner->damaged();
  if (gaps.size() == open_->gaps) {
    return true;
  }
  const ByteRange gap = gaps.back();
  if (!is_settled(gap)) {
    return false;
  }
  open_->gaps = gaps.size();
  note(Finding::Kind::kNoRecord, gap);
  return true;
}

// What looks odd at these bytes is so: they are still those of this segment, and were not being
// written. Else it is read again from there, or left.
bool DirCheck::is_settled(ByteRange bytes) {
  const SegmentContents& segment = open_->segment;
  if (generation_now(files_, segment.found.path) != segment.found.header.generation) {
    ++tally_.gone;
    open_.reset();
    return false;
  }
  if (view_.is_live && open_->looked_again_at != bytes.from) {
    open_->looked_again_at = bytes.from;
    std::this_thread::sleep_for(kPause);
    open_->read_from(bytes.from);
    return false;
  }
  return true;
}

void DirCheck::note(Finding::Kind kind, ByteRange bytes, EventRanges events) {
  const FoundSegment& found = open_->segment.found;
  if (open_->segment.is_needed) {
    open_->last_group.push_back(
        {kind, found.path, bytes, std::move(events),
         files_.exists(quarantine_path(found.path, found.header.order, bytes))});
  }
}

// The group before it was followed by another: it was whole once, and synced.
void DirCheck::begin_group() {
  std::move(open_->last_group.begin(), open_->last_group.end(),
            std::back_inserter(tally_.findings));
  open_->last_group.clear();
}

// Of a last group nobody knows that it was ever whole, unless an event of it is in the channel, the
// checkpoint has seen it, or the file itself was cut.
void DirCheck::settle_last_group() {
  const SegmentContents& segment = open_->segment;
  const Result<std::uint64_t> size = open_->file->size();
  for (Finding& finding : open_->last_group) {
    const bool is_open_end = is_newest(segment) && finding.bytes.from >= segment.durable_end;
    const bool is_cut_by_file = size.ok() && finding.bytes.to > *size;
    if (is_open_end && view_.is_live) {
      finding.kind = Finding::Kind::kBeingWritten;
    } else if (is_open_end ? !is_cut_by_file
                           : finding.kind != Finding::Kind::kAcknowledgement &&
                                 !view_.log.events.live.intersects(finding.events)) {
      finding.kind = Finding::Kind::kCutOff;
    }
  }
  begin_group();
}

void DirCheck::end_segment() {
  const SegmentContents& segment = open_->segment;
  const std::uint64_t end = open_->scanner->end_of_records();
  const ByteRange missing{end, segment.durable_end};
  if (missing.from < missing.to && !is_settled(missing)) {
    return;
  }
  settle_last_group();
  if (missing.from < missing.to) {
    note(Finding::Kind::kMissing, missing);
  } else if (const std::optional<ByteRange> torn = open_->scanner->incomplete();
             torn && torn->from > open_->last_record) {
    note(view_.is_live ? Finding::Kind::kBeingWritten : Finding::Kind::kCutOff, *torn);
  }
  begin_group();
  open_.reset();
}

}  // namespace millrace::file_channel
