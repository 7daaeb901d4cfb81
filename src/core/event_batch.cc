#include "core/event_batch.h"

#include <algorithm>
#include <cstring>

namespace millrace {
namespace {

// What a subset of a batch uses of one of its ranges.
struct Used {
  const char* from = nullptr;
  const char* to = nullptr;

  void include(const char* data, std::size_t size) {
    from = from == nullptr ? data : std::min(from, data);
    to = std::max(to, data + size);
  }
};

// Finds the range that bytes lie in. Neighbouring events mostly ask for the same one.
class RangeFinder {
 public:
  explicit RangeFinder(std::span<const SlabRange> ranges) : ranges_(ranges), used_(ranges.size()) {}

  void include(const char* data, std::size_t size) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const std::string_view bytes = ranges_[last_].bytes();
      if (data >= bytes.data() && data + size <= bytes.data() + bytes.size()) {
        used_[last_].include(data, size);
        return;
      }
      last_ = last_ + 1 == ranges_.size() ? 0 : last_ + 1;
    }  // In none of them: memory that lives as long as the process.
  }
  std::vector<SlabRange> used() const {
    std::vector<SlabRange> used;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (used_[i].from != nullptr) {
        const char* base = ranges_[i].slab->data();
        used.push_back({ranges_[i].slab, static_cast<std::uint32_t>(used_[i].from - base),
                        static_cast<std::uint32_t>(used_[i].to - base)});
      }
    }
    return used;
  }

 private:
  std::span<const SlabRange> ranges_;
  std::vector<Used> used_;
  std::size_t last_ = 0;
};

std::size_t total_bytes(std::span<const SlabRange> ranges) {
  std::size_t bytes = 0;
  for (const SlabRange& range : ranges) {
    bytes += range.to - range.from;
  }
  return bytes;
}

}  // namespace

BatchPtr EventBatch::slice(std::size_t from, std::size_t to) const {
  auto part = std::make_shared<EventBatch>();
  part->events_.assign(events_.begin() + static_cast<std::ptrdiff_t>(from),
                       events_.begin() + static_cast<std::ptrdiff_t>(to));
  RangeFinder bodies(ranges_);
  const char* last_block = nullptr;
  for (const EventRef& event : part->events_) {
    bodies.include(event.body_data, event.body_size);
    if (event.headers_data != last_block) {
      last_block = event.headers_data;
      bodies.include(event.headers_data, event.headers_size);
    }
  }
  part->ranges_ = bodies.used();
  part->bytes_ = total_bytes(part->ranges_);
  return part;
}

BatchPtr EventBatch::pick(std::span<const std::uint32_t> positions) const {
  auto part = std::make_shared<EventBatch>();
  part->events_.reserve(positions.size());
  for (const std::uint32_t position : positions) {
    part->events_.push_back(events_[position]);
    part->bytes_ += events_[position].body_size + events_[position].headers_size;
  }
  part->ranges_ = ranges_;
  return part;
}

std::size_t EventBatch::pinned_bytes() const {
  std::size_t pinned = 0;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const bool seen = std::any_of(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(i),
                                  [&](const SlabRange& r) { return r.slab == ranges_[i].slab; });
    if (!seen) {
      pinned += ranges_[i].slab->capacity();
    }
  }
  return pinned;
}

BatchPtr EventBatch::compact(SlabPool& pool) const {
  std::size_t need = 0;
  const char* last_block = nullptr;
  for (const EventRef& event : events_) {
    need += event.body_size + (event.headers_data == last_block ? 0 : event.headers_size);
    last_block = event.headers_data;
  }
  // One slab of just the size: small ones are cut from the heap, and counted like all others.
  SlabPtr slab = pool.acquire_exact(std::max<std::size_t>(need, 1));
  if (!slab) {
    return nullptr;
  }
  auto copy = std::make_shared<EventBatch>();
  copy->events_.reserve(events_.size());
  char* out = slab->data();
  const char* source_block = nullptr;
  const char* copied_block = nullptr;
  for (const EventRef& event : events_) {
    if (event.headers_data != source_block) {
      std::memcpy(out, event.headers_data, event.headers_size);
      source_block = event.headers_data;
      copied_block = out;
      out += event.headers_size;
    }
    std::memcpy(out, event.body_data, event.body_size);
    copy->events_.push_back({out, copied_block, event.body_size, event.headers_size});
    out += event.body_size;
  }
  const auto used = static_cast<std::uint32_t>(out - slab->data());
  copy->ranges_.push_back({std::move(slab), 0, used});
  copy->bytes_ = used;
  return copy;
}

void EventBatch::Builder::keep(const SlabPtr& slab, const char* data, std::size_t size) {
  const auto from = static_cast<std::uint32_t>(data - slab->data());
  const auto to = static_cast<std::uint32_t>(from + size);
  // The last two ranges are the current slabs for bodies and for headers.
  for (std::size_t back = 1; back <= std::min<std::size_t>(2, ranges_.size()); ++back) {
    SlabRange& range = ranges_[ranges_.size() - back];
    if (range.slab == slab && range.to == from) {
      range.to = to;
      return;
    }
  }
  ranges_.push_back({slab, from, to});
}

void EventBatch::Builder::keep_body_bytes(std::string_view bytes) {
  keep_bytes(space_->bodies.slab(), bytes);
}

std::string_view EventBatch::Builder::store_body(std::string_view body) {
  const std::span<char> room = space_->bodies.room(std::max<std::size_t>(body.size(), 1));
  if (room.empty()) {
    return {};
  }
  std::memcpy(room.data(), body.data(), body.size());
  space_->bodies.take(body.size());
  keep(space_->bodies.slab(), room.data(), body.size());
  return {room.data(), body.size()};
}

std::string_view EventBatch::Builder::store_read_body(std::string_view body) {
  const std::string_view stored = store_body(body);
  return stored.data() != nullptr ? stored : store_header_block(body);  // Not bound by the budget.
}

std::string_view EventBatch::Builder::take_header_bytes(std::size_t count) {
  SlabCursor& cursor = space_->headers;
  const char* data =
      cursor.room(count).data();  // The same place: the caller asked for more before.
  cursor.take(count);
  keep(cursor.slab(), data, count);
  return {data, count};
}

std::string_view EventBatch::Builder::store_headers(const HeaderEditor& headers) {
  const std::span<char> room = header_room(headers.encoded_bound());
  return take_header_bytes(static_cast<std::size_t>(headers.encode(room.data()) - room.data()));
}

std::string_view EventBatch::Builder::store_header_block(std::string_view block) {
  const std::span<char> room = header_room(block.size());
  std::memcpy(room.data(), block.data(), block.size());
  return take_header_bytes(block.size());
}

void EventBatch::Builder::edit_headers(const std::function<void(HeaderEditor&)>& edit) {
  const char* block = nullptr;
  std::string_view edited;
  for (EventRef& event : events_) {
    if (event.headers_data != block) {
      block = event.headers_data;
      HeaderEditor editor(event.header_block());
      edit(editor);
      edited = store_headers(editor);
    }
    event.headers_data = edited.data();
    event.headers_size = static_cast<std::uint32_t>(edited.size());
  }
}

std::size_t EventBatch::Builder::drop_if(const std::function<bool(const EventRef&)>& drop) {
  return static_cast<std::size_t>(std::erase_if(events_, drop));
}

BatchPtr EventBatch::Builder::seal() {
  auto batch = std::make_shared<EventBatch>();
  const std::size_t typical = events_.size();
  batch->events_ = std::move(events_);
  batch->ranges_ = std::move(ranges_);
  batch->bytes_ = total_bytes(batch->ranges_);
  events_ = {};
  events_.reserve(typical + typical / 4);
  ranges_ = {};
  return batch;
}

void EventBatch::Builder::clear() {
  events_.clear();
  ranges_.clear();
}

}  // namespace millrace
