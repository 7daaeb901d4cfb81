#include "channel/file/checkpoint.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/checksum.h"

namespace millrace::file_channel {
namespace {

constexpr std::string_view kMagic = "MRCHKPNT";
// Only where there are some: what knows no intents must not open such a channel.
constexpr std::uint32_t kVersionWithIntents = 2;
constexpr std::size_t kCrcBytes = sizeof(std::uint32_t);
constexpr std::size_t kVersionAt = kMagic.size();

void append_id(std::string& out, const Id& id) {
  out.append(reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size());
}

Result<Id> read_id(ByteReader& reader) {
  const std::string_view raw = TRY(reader.bytes(sizeof(Id)));
  Id id;
  raw.copy(reinterpret_cast<char*>(id.bytes.data()), raw.size());
  return id;
}

// A count of things of `size` bytes each that must still lie in the reader.
Result<std::uint64_t> read_count(ByteReader& reader, std::uint64_t size) {
  const auto count = TRY(reader.little<std::uint64_t>());
  if (count > reader.remaining() / size) {
    return corrupt("a count beyond the end");
  }
  return count;
}

void append_range(std::string& out, EventRange range) {
  append_little(out, range.first);
  append_little(out, range.end);
}

Result<EventRange> read_range(ByteReader& reader) {
  const auto first = TRY(reader.little<std::uint64_t>());
  const auto end = TRY(reader.little<std::uint64_t>());
  if (end < first) {
    return corrupt("a range that ends before it begins");
  }
  return EventRange{first, end};
}

void append_ranges(std::string& out, const std::vector<EventRange>& ranges) {
  append_little(out, std::uint64_t{ranges.size()});
  for (const EventRange& range : ranges) {
    append_range(out, range);
  }
}

Result<std::vector<EventRange>> read_ranges(ByteReader& reader) {
  const std::uint64_t count = TRY(read_count(reader, 16));
  std::vector<EventRange> ranges;
  for (std::uint64_t i = 0; i < count; ++i) {
    ranges.push_back(TRY(read_range(reader)));
  }
  return ranges;
}

void append_segment(std::string& out, const CheckpointSegment& segment) {
  append_little(out, segment.slot);
  append_little(out, segment.order);
  append_little(out, segment.generation);
  append_range(out, segment.numbers);
  append_little(out, segment.end);
}

Result<CheckpointSegment> read_segment(ByteReader& reader) {
  CheckpointSegment segment;
  segment.slot = TRY(reader.little<std::uint64_t>());
  segment.order = TRY(reader.little<std::uint64_t>());
  segment.generation = TRY(reader.little<std::uint64_t>());
  segment.numbers = TRY(read_range(reader));
  segment.end = TRY(reader.little<std::uint64_t>());
  return segment;
}

void append_dir(std::string& out, const CheckpointDir& dir) {
  append_id(out, dir.directory);
  append_little(out, dir.order);
  append_little(out, dir.offset);
  append_little(out, std::uint64_t{dir.segments.size()});
  for (const CheckpointSegment& segment : dir.segments) {
    append_segment(out, segment);
  }
}

Result<CheckpointDir> read_dir(ByteReader& reader) {
  CheckpointDir dir;
  dir.directory = TRY(read_id(reader));
  dir.order = TRY(reader.little<std::uint64_t>());
  dir.offset = TRY(reader.little<std::uint64_t>());
  const std::uint64_t segments = TRY(read_count(reader, 48));
  for (std::uint64_t i = 0; i < segments; ++i) {
    dir.segments.push_back(TRY(read_segment(reader)));
  }
  return dir;
}

}  // namespace

const CheckpointDir* part_of(const Checkpoint& checkpoint, const Id& directory) {
  const auto found =
      std::find_if(checkpoint.dirs.begin(), checkpoint.dirs.end(),
                   [&](const CheckpointDir& each) { return each.directory == directory; });
  return found == checkpoint.dirs.end() ? nullptr : &*found;
}

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  std::string out(kMagic);
  append_little(out, checkpoint.intents.empty() ? kFormatVersion : kVersionWithIntents);
  append_id(out, checkpoint.channel);
  append_little(out, checkpoint.next);
  append_little(out, checkpoint.dropped);
  append_little(out, checkpoint.void_numbers);
  append_ranges(out, checkpoint.live);
  append_ranges(out, checkpoint.in_flight);
  append_little(out, std::uint64_t{checkpoint.dirs.size()});
  for (const CheckpointDir& dir : checkpoint.dirs) {
    append_dir(out, dir);
  }
  out += checkpoint.intents.encode();
  append_little(out, crc32c(out));
  return out;
}

Result<Checkpoint> decode_checkpoint(std::string_view bytes) {
  if (bytes.size() < kVersionAt + 2 * kCrcBytes || !bytes.starts_with(kMagic)) {
    return corrupt("not a checkpoint, or a short one");
  }
  const std::string_view covered = bytes.substr(0, bytes.size() - kCrcBytes);
  ByteReader crc_reader(bytes.substr(covered.size()));
  if (TRY(crc_reader.little<std::uint32_t>()) != crc32c(covered)) {
    return corrupt("the checksum does not fit");
  }
  ByteReader reader(covered.substr(kVersionAt));
  const auto version = TRY(reader.little<std::uint32_t>());
  if (version != kFormatVersion && version != kVersionWithIntents) {
    return bad_config("a checkpoint of format version " + std::to_string(version));
  }
  Checkpoint checkpoint;
  checkpoint.channel = TRY(read_id(reader));
  checkpoint.next = TRY(reader.little<std::uint64_t>());
  checkpoint.dropped = TRY(reader.little<std::uint64_t>());
  checkpoint.void_numbers = TRY(reader.little<std::uint64_t>());
  checkpoint.live = TRY(read_ranges(reader));
  checkpoint.in_flight = TRY(read_ranges(reader));
  const std::uint64_t dirs = TRY(read_count(reader, 40));
  for (std::uint64_t i = 0; i < dirs; ++i) {
    checkpoint.dirs.push_back(TRY(read_dir(reader)));
  }
  if (version == kVersionWithIntents) {
    checkpoint.intents = TRY(Intents::decode(reader.rest()));
  } else if (!reader.empty()) {
    return corrupt("bytes behind the last data dir");
  }
  return checkpoint;
}

}  // namespace millrace::file_channel
