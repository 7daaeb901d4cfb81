#include "channel/file/segment_survey.h"

#include <algorithm>

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// Without a header: never written to, so a spare; or damaged.
Result<bool> is_spare(const File& file) {
  std::string start(sizeof(RecordHeader), '\0');
  start.resize(TRY(file.read_at(start, kFirstRecord)));
  return start.find_first_not_of('\0') == std::string::npos;
}

}  // namespace

Result<FoundDir> survey(FileSystem& files, const Path& dir, const Id& channel, const Id& directory,
                        const Keyring& keys) {
  FoundDir found;
  found.path = dir;
  for (const std::string& file_name : TRY(files.list(dir))) {
    FoundSegment segment{{}, segment_slot(file_name), dir / file_name};
    if (segment.slot == 0) {
      continue;
    }
    found.last_slot = std::max(found.last_slot, segment.slot);
    const std::unique_ptr<File> file = TRY(files.open(segment.path, OpenMode::kRead));
    std::string block(kBlock, '\0');
    block.resize(TRY(file->read_at(block, 0)));
    std::optional<SegmentHeader> header =
        TRY(decode_segment_header(block).with(segment.path.string()));
    if (header && header->version == kSealedVersion) {
      const std::optional<SealHeader> seal = decode_seal_header(block);
      segment.key = seal ? keys.find(*header, *seal) : nullptr;
      header = seal ? header : std::nullopt;
    }
    if (!header && TRY(is_spare(*file))) {
      found.spares.push_back({segment.path});
    } else if (!header) {
      found.headless.push_back(segment.path);
    } else if (header->channel != channel || header->directory != directory) {
      return bad_config(segment.path.string() + " belongs to another channel or data dir");
    } else {
      segment.header = *header;
      found.segments.push_back(std::move(segment));
    }
  }
  std::sort(
      found.segments.begin(), found.segments.end(),
      [](const FoundSegment& a, const FoundSegment& b) { return a.header.order < b.header.order; });
  return found;
}

}  // namespace millrace::file_channel
