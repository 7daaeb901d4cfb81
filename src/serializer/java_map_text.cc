#include "serializer/java_map_text.h"

#include <algorithm>
#include <vector>

namespace millrace {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

// The code point at the front of `text`, which is moved behind it.
std::uint32_t next_code_point(std::string_view& text) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte_at(0);
  std::size_t more = 0;
  std::uint32_t lowest = 0;
  std::uint32_t point = first;
  if (first >= 0xF0 && first < 0xF5) {
    more = 3;
    lowest = 0x10000;
    point = first & 0x07;
  } else if (first >= 0xE0 && first < 0xF0) {
    more = 2;
    lowest = 0x800;
    point = first & 0x0F;
  } else if (first >= 0xC2 && first < 0xE0) {
    more = 1;
    lowest = 0x80;
    point = first & 0x1F;
  } else if (first >= 0x80) {
    point = kReplacement;
  }
  std::size_t used = 1;
  for (; more > 0; --more, ++used) {
    if (used >= text.size() || (byte_at(used) & 0xC0) != 0x80) {
      text.remove_prefix(used);
      return kReplacement;
    }
    point = (point << 6) | (byte_at(used) & 0x3F);
  }
  text.remove_prefix(used);
  const bool is_surrogate = point >= 0xD800 && point < 0xE000;
  return point < lowest || point > 0x10FFFF || is_surrogate ? kReplacement : point;
}

struct Entry {
  std::uint32_t spread_hash;
  Header header;
};

// As HashMap.put() leaves them: a key keeps its place, its last value counts.
std::vector<Entry> distinct_entries(const HeaderView& headers) {
  std::vector<Entry> entries;
  entries.reserve(headers.size());
  for (const Header& header : headers) {
    const std::uint32_t hash = java_string_hash(header.first);
    const std::uint32_t spread = hash ^ (hash >> 16);
    const auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.spread_hash == spread && entry.header.first == header.first;
    });
    if (same == entries.end()) {
      entries.push_back({spread, header});
    } else {
      same->header.second = header.second;
    }
  }
  return entries;
}

}  // namespace

std::uint32_t java_string_hash(std::string_view text) {
  std::uint32_t hash = 0;
  while (!text.empty()) {
    const std::uint32_t point = next_code_point(text);
    if (point > 0xFFFF) {
      hash = hash * 31 + (0xD800 + ((point - 0x10000) >> 10));
      hash = hash * 31 + (0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      hash = hash * 31 + point;
    }
  }
  return hash;
}

void append_java_map_text(const HeaderView& headers, std::string& out) {
  std::vector<Entry> entries = distinct_entries(headers);
  std::size_t table = 16;
  while (entries.size() * 4 > table * 3) {
    table *= 2;
  }
  const auto mask = static_cast<std::uint32_t>(table - 1);
  std::stable_sort(entries.begin(), entries.end(), [mask](const Entry& a, const Entry& b) {
    return (a.spread_hash & mask) < (b.spread_hash & mask);
  });
  out += '{';
  std::string_view separator;
  for (const Entry& entry : entries) {
    out.append(separator).append(entry.header.first) += '=';
    out.append(entry.header.second);
    separator = ", ";
  }
  out += '}';
}

}  // namespace millrace
