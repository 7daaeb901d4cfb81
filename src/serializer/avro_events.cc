#include "serializer/avro_events.h"

#include "base/bytes.h"
#include "core/headers.h"

namespace millrace {

Result<bool> AvroEvents::next(AvroEvent& event) {
  if (damaged_) {
    return damaged("an event");
  }
  if (left_ == 0) {
    return at_ == end_ ? Result<bool>(false) : damaged("bytes behind the last event");
  }
  std::int64_t length = 0;
  if (!read_headers(event.headers)) {
    return damaged("the headers of an event");
  }
  if (!read_long(length) || length < 0 || length > end_ - at_) {
    return damaged("the body of an event");
  }
  event.body = {at_, static_cast<std::size_t>(length)};
  at_ += length;
  --left_;
  return true;
}

// No ByteReader: this runs for each of billions of events, and its errors carry texts.
bool AvroEvents::read_long(std::int64_t& value) {
  std::uint64_t zigzag = 0;
  for (unsigned shift = 0; shift < 70 && at_ < end_; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at_++);
    if (shift == 63 && byte > 1) {
      return false;
    }
    zigzag |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) {
      value = static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
      return true;
    }
  }
  return false;
}

bool AvroEvents::skip_bytes() {
  std::int64_t length = 0;
  if (!read_long(length) || length < 0 || length > end_ - at_) {
    return false;
  }
  at_ += length;
  return true;
}

// One map block with a positive count, as our own writer and Java's have it, is taken as it lies.
bool AvroEvents::read_headers(std::string_view& headers) {
  const char* const from = at_;
  std::int64_t count = 0;
  if (!read_long(count)) {
    return false;
  }
  if (count == 0) {
    headers = kNoHeaders;
    return true;
  }
  if (count < 0) {
    return rewrite_headers(from, headers);
  }
  for (; count > 0; --count) {
    if (!skip_bytes() || !skip_bytes()) {
      return false;
    }
  }
  if (!read_long(count)) {
    return false;
  }
  if (count != 0) {
    return rewrite_headers(from, headers);
  }
  headers = {from, static_cast<std::size_t>(at_ - from)};
  return true;
}

// The specification allows a map in several blocks, and a negative count with the length of the
// block's bytes behind it: the entries are gathered into one.
bool AvroEvents::rewrite_headers(const char* from, std::string_view& headers) {
  at_ = from;
  std::uint64_t total = 0;
  std::string entries;
  for (;;) {
    std::int64_t count = 0;
    std::int64_t block_bytes = 0;
    if (!read_long(count) || (count < 0 && !read_long(block_bytes))) {
      return false;
    }
    if (count == 0) {
      break;
    }
    const auto added =
        count < 0 ? ~static_cast<std::uint64_t>(count) + 1 : static_cast<std::uint64_t>(count);
    const char* const first = at_;
    for (std::uint64_t i = 0; i < added; ++i) {
      if (!skip_bytes() || !skip_bytes()) {
        return false;
      }
    }
    total += added;
    entries.append(first, static_cast<std::size_t>(at_ - first));
  }
  rewritten_.clear();
  append_avro_long(rewritten_, static_cast<std::int64_t>(total));
  rewritten_ += entries;
  rewritten_ += '\0';
  headers = rewritten_;
  return true;
}

Error AvroEvents::damaged(std::string_view what) {
  damaged_ = true;
  const auto at = static_cast<std::size_t>(at_ - block_.bytes.data());
  return corrupt("block at byte " + std::to_string(block_.offset) + ", decoded byte " +
                 std::to_string(at) + ": " + std::string(what) + " is damaged");
}

}  // namespace millrace
