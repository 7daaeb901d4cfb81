#include "channel/flume_log/event_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace millrace::flume_log {

EventReader::EventReader(FileSystem& files, const Folders& folders)
    : files_(files), folders_(folders) {}

Result<EventReader::Read> EventReader::read(Pointer pointer) {
  OpenLog* const log = TRY(open_log(pointer.file));
  if (log == nullptr) {
    const std::string name = fmt::format("log-{}", pointer.file);
    return Read(Damage{name, pointer, pointer.offset, "the file is not there", true});
  }
  return read_record(*log, pointer);
}

Result<std::int64_t> EventReader::write_order(Pointer pointer) {
  OpenLog* const log = TRY(open_log(pointer.file));
  if (log == nullptr) {
    return std::int64_t{0};
  }
  const std::string_view head =
      TRY(log->window.view(pointer.offset + kFrameBytes, kPayloadHeadBytes));
  const Result<RecordHeader> header = decode_header(head);
  return header.ok() ? header.value().order : 0;
}

Result<EventReader::OpenLog*> EventReader::open_log(std::uint32_t number) {
  const auto is_it = [&](const OpenLog& open) { return open.log->meta.log == number; };
  const auto open = std::find_if(open_.begin(), open_.end(), is_it);
  if (open != open_.end()) {
    open_.splice(open_.begin(), open_, open);
    return &open_.front();
  }
  const auto log = std::lower_bound(
      folders_.logs.begin(), folders_.logs.end(), number,
      [](const LogFile& file, std::uint32_t wanted) { return file.meta.log < wanted; });
  if (log == folders_.logs.end() || log->meta.log != number) {
    return static_cast<OpenLog*>(nullptr);
  }
  open_.push_front({&*log, TRY(FileWindow::open(files_, log->path))});
  if (open_.size() > folders_.data_dirs.size() + 1) {
    open_.pop_back();
  }
  return &open_.front();
}

Result<EventReader::Read> EventReader::read_record(OpenLog& log, Pointer pointer) {
  const auto damaged = [&](std::uint64_t bytes, std::string what) {
    const std::uint64_t end = std::min(log.window.size(), pointer.offset + bytes);
    return Read(Damage{log.log->path, pointer, end, std::move(what), true});
  };
  ByteReader frame(TRY(log.window.view(pointer.offset, kFrameBytes)));
  if (frame.remaining() < kFrameBytes) {
    return damaged(0, "the file ends before it");
  }
  const char mark = TRY(frame.bytes(1)).front();
  const std::uint64_t length = TRY(frame.big<std::uint32_t>());
  if (mark == kRemovedMark && length > 0 &&
      pointer.offset + kFrameBytes + length <= log.window.size()) {
    return Read(Removed{});
  }
  if (mark != kRecordMark) {
    return damaged(1, "no record begins there");
  }
  const std::uint64_t payload_at = pointer.offset + kFrameBytes;
  // The whole is asked for only where its beginning says that it is as long.
  const std::string_view head =
      TRY(log.window.view(payload_at, std::min<std::uint64_t>(length, kPayloadHeadBytes)));
  const Result<std::uint64_t> expected = payload_length(head);
  if (!expected.ok() || expected.value() != length) {
    return damaged(kFrameBytes + length, "a record that does not fit its own lengths");
  }
  Result<Record> record = decode_record(TRY(log.window.view(payload_at, length)));
  if (!record.ok()) {
    return damaged(kFrameBytes + length, record.error().message());
  }
  if (record->header.type != RecordType::kPut) {
    return damaged(kFrameBytes + length, "the record is no put");
  }
  if (const Result<> decoded = decode_put(record->body, event_); !decoded.ok()) {
    return damaged(kFrameBytes + length, decoded.error().message());
  }
  return Read(&event_);
}

}  // namespace millrace::flume_log
