// The events of a decoded Avro block with schema Event.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serializer/avro_container_reader.h"

namespace millrace {

struct AvroEvent {
  std::string_view headers;  // A header block as core/headers.h has it.
  std::string_view body;
};

// Walks over a block; every length is checked. Borrows from the block. Threads: one.
//
//   AvroEvents events(block);
//   AvroEvent event;
//   while (TRY(events.next(event))) { … }
class AvroEvents {
 public:
  explicit AvroEvents(const AvroBlock& block)
      : block_(block),
        at_(block.bytes.data()),
        end_(at_ + block.bytes.size()),
        left_(block.records) {}

  // The next event, or false behind the last one. kCorrupt, once and for all, when the records do
  // not fill the block exactly. `event` is valid until the next call.
  Result<bool> next(AvroEvent& event);

 private:
  bool read_long(std::int64_t& value);
  bool skip_bytes();
  bool read_headers(std::string_view& headers);
  bool rewrite_headers(const char* from, std::string_view& headers);
  Error damaged(std::string_view what);

  const AvroBlock block_;
  const char* at_;
  const char* const end_;
  std::uint64_t left_;
  std::string rewritten_;  // Headers that another writer put in several map blocks.
  bool damaged_ = false;
};

}  // namespace millrace
