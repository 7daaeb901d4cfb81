#include "channel/file/group_writer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/checksum.h"
#include "channel/file/sealing.h"

namespace millrace::file_channel {
namespace {

// Bytes between two bodies (a line end, a syslog prefix) that are written along: cheaper than one
// more piece.
constexpr std::ptrdiff_t kGap = 1024;
// Pieces shorter than this are copied into the buffer, for the same reason.
constexpr std::size_t kCopyBelow = 2048;

constexpr std::array<char, kBlock> kZeros{};

std::string_view bytes_of(const std::vector<IndexEntry>& index) {
  return {reinterpret_cast<const char*>(index.data()), index.size() * sizeof(IndexEntry)};
}

bool holds(const SlabRange& range, std::string_view bytes) {
  const std::string_view memory = range.bytes();
  return bytes.data() >= memory.data() &&
         bytes.data() + bytes.size() <= memory.data() + memory.size();
}

}  // namespace

void GroupWriter::Area::clear() {
  extents.clear();
  limit = nullptr;
  range = 0;
  size = 0;
}

// The offset of `bytes` in this area; what lies close behind the last extent prolongs it.
std::uint32_t GroupWriter::Area::place(std::string_view bytes, std::span<const SlabRange> ranges) {
  if (bytes.empty()) {
    return 0;
  }
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  if (limit == nullptr || begin < extents.back().begin || end > limit ||
      begin - extents.back().end > kGap) {
    open(bytes, ranges);
  }
  Extent& extent = extents.back();
  if (end > extent.end) {
    size += static_cast<std::uint64_t>(end - extent.end);
    extent.end = end;
  }
  return static_cast<std::uint32_t>(extent.offset +
                                    static_cast<std::uint64_t>(begin - extent.begin));
}

void GroupWriter::Area::open(std::string_view bytes, std::span<const SlabRange> ranges) {
  extents.push_back({bytes.data(), bytes.data(), size});
  limit = bytes.data() + bytes.size();  // Of memory that is no slab, just these bytes.
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t candidate = (range + i) % ranges.size();
    if (holds(ranges[candidate], bytes)) {
      range = candidate;
      limit = ranges[candidate].bytes().data() + ranges[candidate].bytes().size();
      return;
    }
  }
}

void GroupWriter::clear(bool is_sealed) {
  is_sealed_ = is_sealed;
  buffer_size_ = 0;
  size_ = 0;
  records_.clear();
  offsets_.clear();
  pieces_.clear();
}

char* GroupWriter::grow(std::uint64_t bytes) {
  if (buffer_size_ + bytes > buffer_capacity_) {
    const std::uint64_t capacity = std::max(2 * buffer_capacity_, buffer_size_ + bytes + kBlock);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::copy_n(buffer_.get(), buffer_size_, larger.get());
    buffer_ = std::move(larger);
    buffer_capacity_ = capacity;
  }
  if (pieces_.empty() || pieces_.back().data != nullptr) {
    pieces_.push_back({nullptr, buffer_size_, 0});
  }
  pieces_.back().size += bytes;
  size_ += bytes;
  char* const room = buffer_.get() + buffer_size_;
  buffer_size_ += bytes;
  return room;
}

void GroupWriter::append(std::string_view bytes) {
  std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
}

void GroupWriter::append(const Area& area) {
  for (const Extent& extent : area.extents) {
    const auto length = static_cast<std::size_t>(extent.end - extent.begin);
    if (length < kCopyBelow) {
      append(std::string_view(extent.begin, length));
    } else {
      pieces_.push_back({extent.begin, 0, length});
      size_ += length;
    }
  }
}

std::uint64_t GroupWriter::start_record(std::uint64_t payload) {
  offsets_.push_back(size_);
  records_.push_back(buffer_size_);
  grow(sizeof(RecordHeader) + (is_sealed_ ? tag_bytes(payload) : 0));
  return records_.back();
}

void GroupWriter::finish_record(std::uint64_t at, RecordHeader header, std::uint64_t size_before) {
  header.length = size_ - size_before;
  std::memcpy(buffer_.get() + at, &header, sizeof header);
  append(std::string_view(kZeros.data(), round_up(size_, kRecordAlignment) - size_));
}

bool GroupWriter::add_put(EventNumber first, const EventBatch& batch, std::int64_t time_ms) {
  headers_.clear();
  bodies_.clear();
  index_.clear();
  index_.reserve(batch.size());
  // Neighbours share a header block, and so do the events of one connection among others'.
  struct Known {
    std::string_view block;
    std::uint32_t offset = 0;
    std::uint32_t crc = headers_crc({});
  };
  std::array<Known, 4> known;
  std::size_t current = 0;
  for (const EventRef& event : batch) {
    const std::string_view block = event.header_block();
    if (block.data() != known[current].block.data() ||
        block.size() != known[current].block.size()) {
      const auto found = std::find_if(known.begin(), known.end(), [&](const Known& each) {
        return each.block.data() == block.data() && each.block.size() == block.size();
      });
      if (found != known.end()) {
        current = static_cast<std::size_t>(found - known.begin());
      } else {
        current = (current + 1) % known.size();
        known[current] = {block, headers_.place(block, batch.ranges()), headers_crc(block)};
      }
    }
    index_.push_back({bodies_.place(event.body(), batch.ranges()), event.body_size,
                      known[current].offset, event.headers_size,
                      event_crc(known[current].crc, event.body())});
  }
  if (headers_.size > UINT32_MAX || bodies_.size > UINT32_MAX) {
    return false;
  }
  const std::uint64_t size_before = size_;
  const std::uint64_t at = start_record(bytes_of(index_).size() + headers_.size + bodies_.size);
  append(bytes_of(index_));
  append(headers_);
  append(bodies_);
  RecordHeader header;
  header.magic = kPutMagic;
  header.first = first;
  header.entries = static_cast<std::uint32_t>(batch.size());
  header.index_crc = crc32c(bytes_of(index_));
  header.headers_bytes = static_cast<std::uint32_t>(headers_.size);
  header.time_ms = time_ms;
  finish_record(at, header, size_before);
  return true;
}

void GroupWriter::add_acknowledgement(std::span<const EventRange> ranges, std::uint64_t dropped,
                                      VoidCount voids, const Intents& intents) {
  const std::uint64_t size_before = size_;
  const std::string of_sinks = intents.encode();
  const std::uint64_t bytes = ranges.size() * sizeof(AckEntry) + of_sinks.size();
  const std::uint64_t at = start_record(bytes);
  char* out = grow(bytes);
  for (const EventRange& range : ranges) {
    const AckEntry entry{range.first, range.end};
    std::memcpy(out, &entry, sizeof entry);
    out += sizeof entry;
  }
  out += of_sinks.copy(out, of_sinks.size());
  RecordHeader header;
  header.magic = kAckMagic;
  header.entries = static_cast<std::uint32_t>(ranges.size());
  header.index_crc = crc32c({out - bytes, bytes});
  header.intent_bytes = static_cast<std::uint32_t>(of_sinks.size());
  header.dropped = dropped;
  header.first = voids.below;
  header.time_ms = static_cast<std::int64_t>(voids.numbers);
  finish_record(at, header, size_before);
}

std::span<const iovec> GroupWriter::pieces(std::uint64_t generation, std::string_view prefix) {
  for (const std::uint64_t at : records_) {
    seal_record_header(buffer_.get() + at, generation);
  }
  vectors_.clear();
  const auto add = [this](const char* data, std::uint64_t size) {
    if (size > 0) {
      vectors_.push_back({const_cast<char*>(data), size});
    }
  };
  add(prefix.data(), prefix.size());
  for (const Piece& piece : pieces_) {
    add(piece.data != nullptr ? piece.data : buffer_.get() + piece.offset, piece.size);
  }
  add(kZeros.data(), size() - size_);
  return vectors_;
}

}  // namespace millrace::file_channel
