#include "channel/file/key_check.h"

#include <fmt/core.h>

namespace millrace::file_channel {
namespace {

// Told by the headers of its records, which need no key.
Result<std::uint64_t> events_in(FileSystem& files, const SegmentContents& segment,
                                const EventRanges& live) {
  const std::unique_ptr<File> file = TRY(files.open(segment.found.path, OpenMode::kRead));
  SegmentScanner scanner(*file, segment.found.records(), kFirstRecord, segment.end);
  std::uint64_t events = 0;
  while (const std::optional<SegmentScanner::Record> record = TRY(scanner.next())) {
    const RecordHeader& header = record->header;
    if (header.magic == kPutMagic) {
      for (const EventRange& part : live.within({header.first, header.first + header.entries})) {
        events += part.count();
      }
    }
  }
  return events;
}

}  // namespace

Result<> expect_keys(FileSystem& files, const LogContents& log) {
  for (const DirContents& dir : log.dirs) {
    for (const SegmentContents& segment : dir.segments) {
      if (!segment.is_needed || !segment.found.is_locked()) {
        continue;
      }
      const std::uint64_t events = TRY(events_in(files, segment, log.events.live));
      if (events > 0 || segment.has_locked_acknowledgements) {
        return bad_config(fmt::format("{} is encrypted with {}; {} events are in it",
                                      segment.found.path.string(),
                                      segment.found.key->missing()->message(), events));
      }
    }
  }
  return {};
}

}  // namespace millrace::file_channel
