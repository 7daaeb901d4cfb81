#include "channel/file/segment_reader.h"

#include <algorithm>
#include <cstring>

#include "channel/file/sealing.h"
#include "core/headers.h"

namespace millrace::file_channel {
namespace {

std::string_view behind(std::string_view bytes, std::uint64_t at) {
  return bytes.substr(std::min<std::uint64_t>(at, bytes.size()));
}

// `size` bytes at `offset`, or nothing when they are not all there.
std::optional<std::string_view> part(std::string_view bytes, std::uint64_t offset,
                                     std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    return std::nullopt;
  }
  return bytes.substr(offset, size);
}

}  // namespace

PutReader::PutReader(std::string_view record, const RecordHeader& header) {
  const std::uint64_t index_bytes = std::uint64_t{header.entries} * sizeof(IndexEntry);
  record = record.substr(0, header.length);
  index_ = behind(record, sizeof header).substr(0, index_bytes);
  header_blocks_ = behind(record, sizeof header + index_bytes).substr(0, header.headers_bytes);
  bodies_ = behind(record, sizeof header + index_bytes + header.headers_bytes);
}

std::uint32_t PutReader::entries_there() const {
  return static_cast<std::uint32_t>(index_.size() / sizeof(IndexEntry));
}

std::optional<PutReader::Event> PutReader::event(std::uint32_t position) {
  IndexEntry entry;
  const std::optional<std::string_view> raw =
      part(index_, std::uint64_t{position} * sizeof entry, sizeof entry);
  if (!raw) {
    return std::nullopt;
  }
  std::memcpy(&entry, raw->data(), sizeof entry);
  const std::optional<std::string_view> body = part(bodies_, entry.body_offset, entry.body_bytes);
  if (!body || !use_headers(entry.headers_offset, entry.headers_bytes) ||
      event_crc(block_crc_, *body) != entry.crc) {
    return std::nullopt;
  }
  return Event{*body, block_};
}

bool PutReader::use_headers(std::uint32_t offset, std::uint32_t size) {
  if (current_ && current_->first == offset && current_->second == size) {
    return current_is_good_;
  }
  current_ = {offset, size};
  const std::optional<std::string_view> found = part(header_blocks_, offset, size);
  current_is_good_ = found && (found->empty() || check_header_block(*found).ok());
  if (current_is_good_) {
    block_ = *found;
    block_crc_ = headers_crc(block_);
  }
  return current_is_good_;
}

namespace {

// One large read, taken apart.
class Loader {
 public:
  Loader(const File& file, Generation generation, std::uint64_t end, EventNumber least,
         SlabPool& slabs)
      : file_(file), generation_(generation), end_(end), space_(slabs), builder_(space_) {
    loaded_.next_number = least;
    if (generation_.key != nullptr && generation_.key->is_there()) {
      opener_.emplace(*generation_.key);
    }
  }

  Result<Loaded> load(std::uint64_t from, std::size_t bytes) {
    const bool is_locked = generation_.key != nullptr && !opener_;
    loaded_.next = is_locked ? std::max(from, end_) : from;
    if (loaded_.next >= end_) {
      return std::move(loaded_);
    }
    TRY(read(from, bytes));
    const std::optional<RecordHeader> header = decode_record_header(chunk(), generation_);
    if (!header) {
      TRY(pass_over_damage(from));
      return std::move(loaded_);
    }
    if (header->length > chunk_.size() && !at_end_) {
      TRY(read(from, header->length));
    }
    take_records();
    seal();
    return std::move(loaded_);
  }

 private:
  struct Run {
    EventNumber first;
    std::size_t from;  // Position in the builder.
  };

  // Reads into a slab of its own, which the batches keep alive.
  Result<> read(std::uint64_t from, std::uint64_t bytes) {
    const std::uint64_t wanted = std::min(bytes, end_ - from);
    const std::span<char> room = builder_.header_room(wanted);
    const std::size_t got = TRY(file_.read_at(room.first(wanted), from));
    chunk_ = room.first(got);
    at_end_ = got < wanted || from + got >= end_;
    return {};
  }

  // All records that lie in the chunk as a whole, and one that the file's end cuts off.
  void take_records() {
    builder_.take_header_bytes(chunk_.size());
    while (!chunk_.empty()) {
      const std::string_view rest = chunk();
      std::uint64_t step = padding(rest);
      if (const auto header = decode_record_header(rest, generation_)) {
        if (header->length > rest.size() && !at_end_) {
          return;
        }
        take_record(*header);
        step = round_up(header->length, kRecordAlignment);
      }
      if (step == 0) {
        return;
      }
      loaded_.next = std::min(loaded_.next + step, end_);
      chunk_ = chunk_.subspan(std::min<std::uint64_t>(step, chunk_.size()));
    }
  }

  std::string_view chunk() const { return {chunk_.data(), chunk_.size()}; }

  // Bytes up to the next block, when `rest` has them and they are zeros, as behind a group's last
  // record; else 0.
  std::uint64_t padding(std::string_view rest) const {
    const std::uint64_t gap = round_up(loaded_.next, kBlock) - loaded_.next;
    const bool zeros = rest.substr(0, gap).find_first_not_of('\0') == std::string_view::npos;
    return gap <= rest.size() && zeros ? gap : 0;
  }

  // The one that the chunk begins with.
  void take_record(const RecordHeader& header) {
    if (header.magic != kPutMagic || header.first < loaded_.next_number) {
      return;
    }
    OpenedRecord record{chunk_.first(std::min<std::uint64_t>(header.length, chunk_.size()))};
    if (opener_) {
      record = opener_->open(record.bytes, header, loaded_.next);
    }
    bool is_damaged = !record.is_whole;
    PutReader reader({record.bytes.data(), record.bytes.size()}, header);
    const std::uint32_t there = reader.entries_there();
    for (std::uint32_t i = 0; i < there; ++i) {
      if (const std::optional<PutReader::Event> event = reader.event(i)) {
        add(header.first + i, *event);
      } else {
        is_damaged = true;
        note_damaged({header.first + i, header.first + i + 1});
      }
    }
    if (there < header.entries) {
      is_damaged = true;
      note_damaged({header.first + there, header.first + header.entries});
    }
    if (is_damaged) {
      loaded_.damaged_bytes.push_back({loaded_.next, loaded_.next + header.length});
    }
    loaded_.next_number = header.first + header.entries;
  }

  void add(EventNumber number, const PutReader::Event& event) {
    if (runs_.empty() || runs_.back().first + (builder_.size() - runs_.back().from) != number) {
      runs_.push_back({number, builder_.size()});
    }
    builder_.add(event.body, event.headers.empty() ? kNoHeaders : event.headers);
  }

  void note_damaged(EventRange range) {
    std::vector<EventRange>& all = loaded_.damaged_events;
    if (!all.empty() && all.back().end == range.first) {
      all.back().end = range.end;
    } else {
      all.push_back(range);
    }
  }

  void seal() {
    if (builder_.empty()) {
      return;
    }
    const BatchPtr whole = builder_.seal();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t to = i + 1 < runs_.size() ? runs_[i + 1].from : whole->size();
      loaded_.runs.push_back(
          {runs_[i].first, runs_.size() == 1 ? whole : whole->slice(runs_[i].from, to)});
    }
  }

  Result<> pass_over_damage(std::uint64_t from) {
    SegmentScanner scanner(file_, generation_, from, end_);
    const std::optional<SegmentScanner::Record> next = TRY(scanner.next());
    loaded_.next = next ? next->offset : end_;
    loaded_.damaged_bytes = scanner.damaged();
    return {};
  }

  const File& file_;
  const Generation generation_;
  const std::uint64_t end_;
  std::optional<RecordOpener> opener_;  // Of an encrypted segment.
  BatchSpace space_;
  EventBatch::Builder builder_;
  std::span<char> chunk_;  // In the slab.
  bool at_end_ = false;    // The chunk reaches to the end of the records or of the file.
  std::vector<Run> runs_;
  Loaded loaded_;
};

}  // namespace

Result<Loaded> load_events(const File& file, Generation generation, std::uint64_t from,
                           std::uint64_t end, EventNumber least, std::size_t bytes,
                           SlabPool& slabs) {
  return Loader(file, generation, end, least, slabs).load(from, bytes);
}

}  // namespace millrace::file_channel
