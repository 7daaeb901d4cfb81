#include "channel/file/segment_survey.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

// Without a header: all zeros, and so never written to; or damaged.
Result<bool> is_spare(const File& file) {
  constexpr std::uint64_t kPart = std::uint64_t{1} << 20;
  std::string part(kPart, '\0');
  for (std::uint64_t at = 0;; at += kPart) {
    const std::size_t got = TRY(file.read_at(part, at));
    if (std::string_view(part).substr(0, got).find_first_not_of('\0') != std::string::npos) {
      return false;
    }
    if (got < kPart) {
      return true;
    }
  }
}

// A generation is given once: of two files that have it, one is a copy. The longer one stays, or
// the one of the lower slot.
void tell_copies(std::vector<FoundSegment>& segments, std::vector<Path>& copies) {
  std::stable_sort(segments.begin(), segments.end(),
                   [](const FoundSegment& a, const FoundSegment& b) {
                     return std::tuple(a.header.order, a.header.generation, b.bytes, a.slot) <
                            std::tuple(b.header.order, b.header.generation, a.bytes, b.slot);
                   });
  for (std::size_t i = 1; i < segments.size();) {
    if (segments[i].header.generation == segments[i - 1].header.generation) {
      copies.push_back(segments[i].path);
      segments.erase(segments.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
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
    Result<std::unique_ptr<File>> opened = files.open(segment.path, OpenMode::kRead);
    if (!opened.ok() && !files.exists(segment.path)) {
      continue;  // A channel in use gave it back since it was listed.
    }
    const std::unique_ptr<File> file = TRY(std::move(opened));
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
      segment.bytes = TRY(file->size());
      found.segments.push_back(std::move(segment));
    }
  }
  tell_copies(found.segments, found.copies);
  return found;
}

}  // namespace millrace::file_channel
