#include "channel/flume_log/log_scanner.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace millrace::flume_log {
namespace {

constexpr std::string_view kFooter("\0", 1);  // An empty message.
constexpr std::uint64_t kSearchBytes = 64 * 1024;
// Zeros that a whole record may end with, so that those behind it are not told from its own.
constexpr std::uint64_t kZerosOfARecord = 16;

}  // namespace

Result<std::optional<ScannedRecord>> LogScanner::next() {
  while (at_ < file_.size()) {
    const char mark = TRY(file_.view(at_, 1)).front();
    if (mark == kRecordMark) {
      if (const auto frame = TRY(frame_at(at_))) {
        const std::uint64_t offset = at_;
        if (auto record = TRY(record_at(offset, *frame))) {
          at_ = frame->end;
          return record;
        }
      }
      TRY(skip_damage("a record that does not fit its own lengths"));
    } else if (mark == kRemovedMark && TRY(is_whole(at_))) {
      at_ = *TRY(framed_end(at_));
    } else if (mark == kFill || mark == kRemovedMark) {
      TRY(skip_damage("no record where one should begin"));
    } else {
      TRY(skip_damage("a record without its mark"));
    }
  }
  return std::optional<ScannedRecord>();
}

Result<std::optional<std::uint64_t>> LogScanner::framed_end(std::uint64_t at) {
  ByteReader frame(TRY(file_.view(at, kFrameBytes)));
  if (frame.remaining() < kFrameBytes) {
    return std::optional<std::uint64_t>();
  }
  TRY(frame.skip(1));
  const std::uint64_t end = at + kFrameBytes + TRY(frame.big<std::uint32_t>());
  return end <= file_.size() ? std::optional(end) : std::nullopt;
}

Result<std::optional<LogScanner::Frame>> LogScanner::frame_at(std::uint64_t at) {
  const std::optional<std::uint64_t> end = TRY(framed_end(at));
  if (!end) {
    return std::optional<Frame>();
  }
  const std::uint64_t payload = at + kFrameBytes;
  const std::string_view head =
      TRY(file_.view(payload, std::min<std::uint64_t>(*end - payload, kPayloadHeadBytes)));
  const Result<std::uint64_t> length = payload_length(head);
  const Result<RecordHeader> header = decode_header(head);
  if (!length.ok() || !header.ok() || payload + length.value() != *end) {
    return std::optional<Frame>();
  }
  return std::optional(Frame{*end, header.value()});
}

Result<std::optional<ScannedRecord>> LogScanner::record_at(std::uint64_t at, const Frame& frame) {
  if (frame.header.type == RecordType::kPut) {
    // Cut off, it would end in the fill.
    const bool ends = TRY(file_.view(frame.end - 1, 1)) == kFooter;
    return ends ? std::optional(ScannedRecord{at, frame.header, {}}) : std::nullopt;
  }
  const std::uint64_t payload = at + kFrameBytes;
  Result<Record> record = decode_record(TRY(file_.view(payload, frame.end - payload)));
  if (!record.ok() || (frame.header.type == RecordType::kTake && !decode_take(record->body).ok()) ||
      (frame.header.type == RecordType::kCommit && !decode_commit(record->body).ok())) {
    return std::optional<ScannedRecord>();
  }
  return std::optional(ScannedRecord{at, record->header, record->body});
}

Result<bool> LogScanner::is_whole(std::uint64_t at) {
  if (at == file_.size()) {
    return true;
  }
  const std::string_view view = TRY(file_.view(at, 1));
  const char mark = view.empty() ? 'x' : view.front();
  if (mark == kFill) {
    return true;
  }
  if (mark == kRecordMark) {
    return TRY(frame_at(at)).has_value();
  }
  // A removed record keeps its length; what may have been damaged in it is not looked at.
  const std::optional<std::uint64_t> end = TRY(framed_end(at));
  return mark == kRemovedMark && end && *end > at + kFrameBytes;
}

Result<bool> LogScanner::is_end(std::uint64_t at, std::uint64_t end) {
  if (end <= at + kFrameBytes || !TRY(is_whole(end))) {
    return false;
  }
  return TRY(file_.view(end - 1, 1)).front() != kFill;
}

Result<bool> LogScanner::is_sound_record(std::uint64_t at) {
  const std::optional<Frame> frame = TRY(frame_at(at));
  if (!frame) {
    return false;
  }
  const std::uint64_t payload = at + kFrameBytes;
  Result<Record> record = decode_record(TRY(file_.view(payload, frame->end - payload)));
  if (!record.ok()) {
    return false;
  }
  StoredEvent event;
  switch (record->header.type) {
    case RecordType::kPut:
      return decode_put(record->body, event).ok();
    case RecordType::kTake:
      return decode_take(record->body).ok();
    case RecordType::kCommit:
      return decode_commit(record->body).ok();
    case RecordType::kRollback:
      break;
  }
  return true;
}

Result<std::optional<std::uint64_t>> LogScanner::find_sound_record(std::uint64_t from) {
  for (std::uint64_t at = from; at < file_.size();) {
    const std::string_view piece = TRY(file_.view(at, kSearchBytes));
    const std::size_t found = piece.find(kRecordMark);
    if (piece.empty()) {
      break;
    }
    if (found == std::string_view::npos) {
      at += piece.size();
    } else if (TRY(is_sound_record(at + found))) {
      return std::optional(at + found);
    } else {
      at += found + 1;
    }
  }
  return std::optional<std::uint64_t>();
}

Result<> LogScanner::skip_damage(std::string what) {
  // A record without its mark may still tell where it ends. Where nothing was written there is no
  // length to go by.
  const bool framed = TRY(file_.view(at_, 1)).front() != kFill;
  std::optional<std::uint64_t> found = framed ? TRY(framed_end(at_)) : std::nullopt;
  if (found && !TRY(is_end(at_, *found))) {
    found.reset();
  }
  const bool is_one_record = found.has_value();
  if (!found) {
    found = TRY(find_sound_record(at_ + 1));
  }
  if (!found) {
    return end_at_tail();
  }
  damages_.push_back({at_, *found, std::move(what), is_one_record});
  at_ = *found;
  return {};
}

Result<> LogScanner::end_at_tail() {
  const std::uint64_t tail = TRY(tail_begin());
  const std::uint64_t from = std::exchange(at_, file_.size());
  if (from >= tail) {
    return {};  // All that follows was never written.
  }
  // Flume fills a file ahead of what it writes: a record that reaches into that was cut off by a
  // crash, and nobody was told that it is there. One that reaches past the end of the file was not.
  const std::optional<std::uint64_t> end = TRY(framed_end(from));
  const bool has_mark = TRY(file_.view(from, 1)).front() == kRecordMark;
  const bool is_fill = tail < file_.size() && TRY(file_.view(tail, 1)).front() == kFill;
  const std::uint64_t reach = is_fill ? tail : tail + kZerosOfARecord;
  if (has_mark && tail < file_.size() && (tail - from < kFrameBytes || !end || *end > reach)) {
    torn_at_ = from;
  } else {
    damages_.push_back({from, tail, "no whole record follows"});
  }
  return {};
}

Result<std::uint64_t> LogScanner::tail_begin() {
  std::uint64_t end = file_.size();
  const char last = TRY(file_.view(end - 1, 1)).front();
  if (last != kFill && last != '\0') {
    return end;
  }
  while (end > 0) {
    const std::uint64_t from = end - std::min(end, kSearchBytes);
    const std::string_view piece = TRY(file_.view(from, end - from));
    const std::size_t other = piece.find_last_not_of(last);
    if (other != std::string_view::npos) {
      return from + other + 1;
    }
    end = from;
  }
  return end;
}

}  // namespace millrace::flume_log
