#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "base/checksum.h"
#include "channel/file/segment_reader.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kWindow = 64 * 1024;
constexpr std::size_t kMagicBytes = sizeof(std::uint32_t);

bool begins_like_a_record(std::string_view bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() < kMagicBytes) {
    return false;
  }
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == kPutMagic || magic == kAckMagic;
}

}  // namespace

SegmentScanner::SegmentScanner(const File& file, Generation generation, std::uint64_t from,
                               std::uint64_t end)
    : file_(file), generation_(generation), position_(from), end_(end) {}

// Up to `bytes` from `at`; fewer at the end.
Result<std::string_view> SegmentScanner::window(std::uint64_t at, std::uint64_t bytes) {
  if (!end_is_known_) {
    end_ = std::min(end_, TRY(file_.size()));
    end_is_known_ = true;
  }
  bytes = std::min(bytes, end_ - std::min(at, end_));
  if (at < buffer_at_ || at + bytes > buffer_at_ + buffer_.size()) {
    buffer_.resize(std::min(std::max(bytes, kWindow), end_ - std::min(at, end_)));
    buffer_at_ = at;
    buffer_.resize(TRY(file_.read_at(buffer_, at)));
  }
  return std::string_view(buffer_).substr(at - buffer_at_, bytes);
}

Result<std::optional<SegmentScanner::Record>> SegmentScanner::record_at(std::uint64_t at) {
  const std::optional<RecordHeader> header =
      decode_record_header(TRY(window(at, sizeof(RecordHeader))), generation_);
  if (!header) {
    return std::optional<Record>();
  }
  return std::optional<Record>(Record{*header, at});
}

Result<std::optional<SegmentScanner::Record>> SegmentScanner::next() {
  std::optional<Record> record = TRY(record_at(position_));
  if (!record) {
    const std::optional<std::uint64_t> found = TRY(find_record(position_));
    if (!found) {
      TRY(note_torn_end());
      return std::optional<Record>();
    }
    const std::uint64_t next_group = round_up(position_, kBlock);
    const std::uint64_t from = TRY(is_padding(position_, next_group)) ? next_group : position_;
    if (*found > from) {
      damaged_.push_back({from, *found});
    }
    record = TRY(record_at(*found));
  }
  const std::uint64_t record_end = record->offset + record->header.length;
  if (record_end > end_) {
    incomplete_ = ByteRange{record->offset, record_end};
  }
  position_ = std::min(round_up(record_end, kRecordAlignment), round_up(end_, kBlock));
  return record;
}

// Where the next whole header lies, at `from` or behind it. The next block is tried first: behind
// the last record of a group there is only padding.
Result<std::optional<std::uint64_t>> SegmentScanner::find_record(std::uint64_t from) {
  const std::uint64_t next_group = round_up(from, kBlock);
  if (next_group > from && TRY(is_padding(from, next_group)) && TRY(record_at(next_group))) {
    return std::optional(next_group);
  }
  std::uint64_t at = round_up(from, kRecordAlignment);
  for (;;) {
    const std::string_view bytes = TRY(window(at, kWindow));
    if (bytes.size() < sizeof(RecordHeader)) {
      return std::optional<std::uint64_t>();
    }
    for (std::size_t i = 0; i + sizeof(RecordHeader) <= bytes.size(); i += kRecordAlignment) {
      if (begins_like_a_record(bytes.substr(i)) &&
          decode_record_header(bytes.substr(i), generation_)) {
        return std::optional(at + i);
      }
    }
    at += (bytes.size() - sizeof(RecordHeader)) / kRecordAlignment * kRecordAlignment +
          kRecordAlignment;
  }
}

Result<bool> SegmentScanner::is_padding(std::uint64_t from, std::uint64_t to) {
  const std::string_view bytes = TRY(window(from, to - from));
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

// Behind the last record: a header of this generation that is itself torn, or nothing of ours.
Result<> SegmentScanner::note_torn_end() {
  const std::string_view bytes = TRY(window(position_, sizeof(RecordHeader)));
  RecordHeader header;
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof header));
  if (begins_like_a_record(bytes) && header.generation == generation_.number) {
    incomplete_ = ByteRange{position_, std::max(end_, position_)};
  }
  return {};
}

// An encrypted one.
Result<OpenedRecord> SegmentScanner::open(const Record& record) {
  if (const std::optional<Error>& missing = generation_.key->missing()) {
    return *missing;
  }
  opened_ = TRY(window(record.offset, record.header.length));
  return RecordOpener(*generation_.key).open(opened_, record.header, record.offset);
}

Result<std::string_view> SegmentScanner::bytes_of(const Record& record) {
  if (generation_.key == nullptr) {
    return window(record.offset, record.header.length);
  }
  const OpenedRecord opened = TRY(open(record));
  return std::string_view(opened.bytes.data(), opened.bytes.size());
}

Result<Acknowledged> SegmentScanner::acknowledged(const Record& record) {
  std::string_view entries;
  bool is_whole = false;
  if (generation_.key != nullptr) {
    const OpenedRecord opened = TRY(open(record));
    entries = {opened.bytes.data(), opened.bytes.size()};
    is_whole = opened.is_whole;
    entries.remove_prefix(sizeof(RecordHeader));
  } else {
    const std::uint64_t bytes = record.header.length - sizeof(RecordHeader);
    entries = TRY(window(record.offset + sizeof(RecordHeader), bytes));
    is_whole = entries.size() == bytes && crc32c(entries) == record.header.index_crc;
  }
  if (!is_whole) {
    return corrupt("a damaged acknowledgement at byte " + std::to_string(record.offset));
  }
  Acknowledged acknowledged;
  acknowledged.events.reserve(record.header.entries);
  ByteReader reader(entries);
  for (std::uint32_t i = 0; i < record.header.entries; ++i) {
    const auto first = TRY(reader.little<std::uint64_t>());
    const auto end = TRY(reader.little<std::uint64_t>());
    acknowledged.events.push_back({first, end});
  }
  acknowledged.intents = TRY(Intents::decode(reader.rest()));
  return acknowledged;
}

}  // namespace millrace::file_channel
