#include "channel/file/put_times.h"

#include <algorithm>
#include <functional>

#include "channel/file/segment_reader.h"

namespace millrace::file_channel {
namespace {

// Shows the headers of the segment's puts to `see` until that says that it has seen enough. A
// segment that is gone by now shows none.
Result<> look_at_puts(FileSystem& files, const SegmentContents& segment,
                      const std::function<bool(const RecordHeader&)>& see) {
  const Result<std::unique_ptr<File>> file = files.open(segment.found.path, OpenMode::kRead);
  if (!file.ok()) {
    return files.exists(segment.found.path) ? Result<>(file.error()) : Result<>();
  }
  SegmentScanner scanner(**file, segment.found.records(), kFirstRecord, UINT64_MAX);
  while (const std::optional<SegmentScanner::Record> record = TRY(scanner.next())) {
    if (record->header.magic == kPutMagic && see(record->header)) {
      break;
    }
  }
  return {};
}

// The first put of the dir that has an event in the channel.
Result<std::optional<RecordHeader>> first_live(FileSystem& files, const ChannelView& view,
                                               const DirContents& dir) {
  std::optional<RecordHeader> first;
  for (const SegmentContents& segment : dir.segments) {
    if (!first && view.holds_events(segment)) {
      TRY(look_at_puts(files, segment, [&](const RecordHeader& header) {
        if (view.log.events.live.intersects({header.first, header.first + header.entries})) {
          first = header;
        }
        return first.has_value();
      }));
    }
  }
  return first;
}

// Of the newest segment with a put in it: the last, where the clock was not set back.
Result<std::int64_t> last_put(FileSystem& files, const DirContents& dir) {
  std::int64_t time = 0;
  bool found = false;
  for (std::size_t i = dir.segments.size(); i > 0 && !found; --i) {
    TRY(look_at_puts(files, dir.segments[i - 1], [&](const RecordHeader& header) {
      time = std::max(time, header.time_ms);
      found = true;
      return false;
    }));
  }
  return time;
}

}  // namespace

Result<PutTimes> put_times(FileSystem& files, const ChannelView& view) {
  PutTimes times;
  std::optional<RecordHeader> first;
  for (const DirContents& dir : view.log.dirs) {
    const std::optional<RecordHeader> found = TRY(first_live(files, view, dir));
    if (found && (!first || found->first < first->first)) {
      first = found;
    }
    times.newest = std::max(times.newest, TRY(last_put(files, dir)));
  }
  times.oldest = first ? first->time_ms : 0;
  return times;
}

}  // namespace millrace::file_channel
