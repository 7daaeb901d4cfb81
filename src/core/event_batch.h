// The unit that moves: an immutable run of events over the slabs that it keeps alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/headers.h"
#include "core/slab.h"

namespace millrace {

// Where an event lies. Borrows from a slab.
struct EventRef {
  const char* body_data;
  const char* headers_data;  // A header block, see headers.h.
  std::uint32_t body_size;
  std::uint32_t headers_size;

  std::string_view body() const { return {body_data, body_size}; }
  std::string_view header_block() const { return {headers_data, headers_size}; }
  HeaderView headers() const { return HeaderView(header_block()); }
};
static_assert(sizeof(EventRef) == 24);

// A range of a slab that a batch's events lie in.
struct SlabRange {
  SlabPtr slab;
  std::uint32_t from;
  std::uint32_t to;

  std::string_view bytes() const { return {slab->data() + from, to - from}; }
};

class EventBatch;
using BatchPtr = std::shared_ptr<const EventBatch>;

// Threads: any, it never changes. Views into it live as long as it does.
class EventBatch {
 public:
  class Builder;

  std::span<const EventRef> events() const { return events_; }
  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  const EventRef& operator[](std::size_t i) const { return events_[i]; }
  auto begin() const { return events_.begin(); }
  auto end() const { return events_.end(); }

  // Every body and header block lies in one of these; they may hold other bytes too.
  std::span<const SlabRange> ranges() const { return ranges_; }
  // Bytes in those ranges: what the batch costs in memory and in the file channel's log.
  std::size_t bytes() const { return bytes_; }

  // Events [from, to) over the same slabs: index entries are copied, never bodies. Its ranges are
  // cut down to what these events use.
  BatchPtr slice(std::size_t from, std::size_t to) const;
  // The events at `positions`, likewise.
  BatchPtr pick(std::span<const std::uint32_t> positions) const;
  // The same events copied into slabs of their own; null when the budget is spent. For a batch that
  // waits and uses little of what it pins.
  BatchPtr compact(SlabPool& pool) const;
  // Bytes of the slabs it keeps alive.
  std::size_t pinned_bytes() const;

 private:
  std::vector<EventRef> events_;
  std::vector<SlabRange> ranges_;
  std::size_t bytes_ = 0;
};

// Where a source's thread writes events: one slab for bodies and one for header blocks, shared by
// all the builders of the thread.
struct BatchSpace {
  explicit BatchSpace(SlabPool& pool, MemoryWait* wait = nullptr)
      : bodies(pool, false, wait), headers(pool, true) {}
  SlabCursor bodies;
  SlabCursor headers;
};

// A batch while one thread makes it. Interceptors change it before it is sealed.
//
// A source that reads lines:
//   std::span<char> room = space.bodies.room(tail.size() + want);   // empty: stop reading for now
//   n = read(room behind the copied tail);
//   builder.add(line, headers) for each whole line;
//   space.bodies.take(bytes of the whole lines); builder.keep_body_bytes(those bytes);
class EventBatch::Builder {
 public:
  explicit Builder(BatchSpace& space) : space_(&space) {}

  // An event whose bytes lie in slabs that the batch keeps (keep_body_bytes, store_*), or in memory
  // that lives as long as the process, as kNoHeaders does.
  void add(std::string_view body, std::string_view header_block = kNoHeaders) {
    // Field by field in place: a temporary would be read back in larger pieces than it was written
    // in, which stalls the processor longer than all the rest takes.
    EventRef& event = events_.emplace_back();
    event.body_data = body.data();
    event.headers_data = header_block.data();
    event.body_size = static_cast<std::uint32_t>(body.size());
    event.headers_size = static_cast<std::uint32_t>(header_block.size());
  }
  // `bytes` lie in the current slab of space.bodies and belong to this batch.
  void keep_body_bytes(std::string_view bytes);
  // Likewise, in a slab that may have been the current one before.
  void keep_bytes(const SlabPtr& slab, std::string_view bytes) {
    if (!bytes.empty()) {
      keep(slab, bytes.data(), bytes.size());
    }
  }

  // Copies into the thread's slabs. store_body() gives a view without data when the budget is
  // spent.
  std::string_view store_body(std::string_view body);
  // Past the budget if need be: what was read already is not dropped.
  std::string_view store_read_body(std::string_view body);
  std::string_view store_headers(const HeaderEditor& headers);
  std::string_view store_header_block(std::string_view block);

  // Room for `at_least` bytes of a header block that the caller writes itself, then takes.
  std::span<char> header_room(std::size_t at_least) { return space_->headers.room(at_least); }
  std::string_view take_header_bytes(std::size_t count);

  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  EventRef& operator[](std::size_t i) { return events_[i]; }
  std::span<const EventRef> events() const { return events_; }

  // Runs `edit` on the headers of each event; once for a run of events that share a block. The
  // views that it sets need to live during the call only.
  void edit_headers(const std::function<void(HeaderEditor&)>& edit);
  // Drops the events for which `drop` says true; returns how many.
  std::size_t drop_if(const std::function<bool(const EventRef&)>& drop);

  // The batch; the builder is empty again.
  BatchPtr seal();
  void clear();
  void reserve(std::size_t events) { events_.reserve(events); }

 private:
  void keep(const SlabPtr& slab, const char* data, std::size_t size);

  BatchSpace* space_;
  std::vector<EventRef> events_;
  std::vector<SlabRange> ranges_;
};

}  // namespace millrace
