// Writes the headers of a syslog message in Avro map encoding; see core/headers.h.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "source/syslog/syslog_origin.h"

namespace millrace {

// Writes into `block`, which outlives it. Threads: one.
class HeaderBlockWriter {
 public:
  // `most`: bytes of all names and values at most.
  HeaderBlockWriter(std::string& block, std::size_t most) : block_(block) {
    block_.resize(most + 2 + std::size_t{2 * SyslogOrigin::kMostMessageHeaders * kLongestVarint});
    next_ = block_.data() + 1;
  }

  void add(std::string_view name, std::string_view value) {
    put(name);
    put(value);
    ++count_;
  }
  void add(std::string_view name, std::int64_t value) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    add(name, std::string_view(digits, static_cast<std::size_t>(end - digits)));
  }
  void finish(const SyslogOrigin& origin) {
    next_ = std::copy(origin.header_pairs.begin(), origin.header_pairs.end(), next_);
    *next_++ = 0;
    // One byte, as there are at most 63 headers; see SyslogOrigin::add_header().
    block_[0] = static_cast<char>((count_ + origin.header_count) * 2);
    block_.resize(static_cast<std::size_t>(next_ - block_.data()));
  }

 private:
  static constexpr std::size_t kLongestVarint = 10;

  void put(std::string_view bytes) {
    next_ = put_avro_long(next_, static_cast<std::int64_t>(bytes.size()));
    std::memcpy(next_, bytes.data(), bytes.size());
    next_ += bytes.size();
  }

  std::string& block_;
  char* next_;
  int count_ = 0;
};

}  // namespace millrace
