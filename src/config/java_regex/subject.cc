#include "config/java_regex/subject.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "config/utf8.h"

namespace millrace::java_regex {
namespace {

constexpr std::size_t kReplacementBytes = 3;  // Of U+FFFD in UTF-8.

}  // namespace

bool is_ascii(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  constexpr std::size_t kStep = 4 * sizeof(std::uint64_t);
  std::size_t at = 0;
  std::uint64_t seen = 0;
  for (; at + kStep <= text.size() && (seen & kHighBits) == 0; at += kStep) {
    std::uint64_t words[4];
    std::memcpy(words, text.data() + at, kStep);
    seen = words[0] | words[1] | words[2] | words[3];
  }
  for (; at < text.size() && (seen & kHighBits) == 0; ++at) {
    seen |= static_cast<unsigned char>(text[at]);
  }
  return (seen & kHighBits) == 0;
}

void Subject::set(std::string_view bytes) {
  bytes_ = bytes;
  text_ = bytes;
  is_ascii_ = is_ascii(bytes);
  malformed_.clear();
  if (!is_ascii_ && !is_valid_utf8(bytes)) {
    decode();
    text_ = decoded_;
  }
}

void Subject::decode() {
  decoded_.clear();
  std::string_view rest = bytes_;
  while (!rest.empty()) {
    const std::size_t offset = bytes_.size() - rest.size();
    const char32_t c = take_code_point(rest);
    const std::size_t length = bytes_.size() - rest.size() - offset;
    if (c == 0xFFFD && !is_valid_utf8(bytes_.substr(offset, length))) {
      malformed_.push_back({decoded_.size(), offset, length});
    }
    append_utf8(decoded_, c);
  }
}

std::size_t Subject::offset_of(std::size_t at) const {
  const auto next = std::lower_bound(malformed_.begin(), malformed_.end(), at,
                                     [](const Malformed& m, std::size_t to) { return m.at < to; });
  if (next == malformed_.begin()) {
    return at;
  }
  const Malformed& last = *std::prev(next);
  return last.offset + last.length + (at - last.at - kReplacementBytes);
}

void Subject::append_bytes(std::size_t from, std::size_t to, std::string& out) const {
  out += bytes_between(from, to);
}

}  // namespace millrace::java_regex
