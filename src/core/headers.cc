#include "core/headers.h"

#include <cstring>

#include "base/bytes.h"

namespace millrace {
namespace {

// One zig-zag varint of a trusted block.
std::int64_t trusted_long(const char*& at) {
  std::uint64_t zigzag = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    zigzag |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) {
      return static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
    }
  }
}

std::string_view trusted_bytes(const char*& at) {
  const auto length = static_cast<std::size_t>(trusted_long(at));
  const std::string_view bytes(at, length);
  at += length;
  return bytes;
}

char* put_bytes(char* out, std::string_view bytes) {
  out = put_avro_long(out, static_cast<std::int64_t>(bytes.size()));
  std::memcpy(out, bytes.data(), bytes.size());
  return out + bytes.size();
}

}  // namespace

void HeaderView::Iterator::decode() {
  if (left_ > 0) {
    header_.first = trusted_bytes(next_);
    header_.second = trusted_bytes(next_);
  }
}

HeaderView::Iterator HeaderView::begin() const {
  if (block_.empty()) {
    return end();
  }
  const char* at = block_.data();
  const auto count = static_cast<std::uint64_t>(trusted_long(at));
  return {at, count};
}

std::size_t HeaderView::size() const {
  if (block_.empty()) {
    return 0;
  }
  const char* at = block_.data();
  return static_cast<std::size_t>(trusted_long(at));
}

std::optional<std::string_view> HeaderView::find(std::string_view key) const {
  std::optional<std::string_view> found;
  for (const auto& [name, value] : *this) {
    if (name == key) {
      found = value;
    }
  }
  return found;
}

Result<> check_header_block(std::string_view block) {
  ByteReader reader(block);
  const std::int64_t count = TRY(reader.avro_long());
  if (count < 0 || static_cast<std::uint64_t>(count) > block.size()) {
    return corrupt("a header block announces " + std::to_string(count) + " headers in " +
                   std::to_string(block.size()) + " bytes");
  }
  for (std::int64_t i = 0; i < count; ++i) {
    TRY(reader.avro_bytes());
    TRY(reader.avro_bytes());
  }
  if (count > 0 && TRY(reader.avro_long()) != 0) {
    return corrupt("a header block does not end with 0");
  }
  if (!reader.empty()) {
    return corrupt("bytes behind a header block");
  }
  return {};
}

HeaderEditor::HeaderEditor(std::string_view block) {
  const HeaderView view(block);
  headers_.reserve(view.size() + 4);
  for (const Header& header : view) {
    headers_.push_back(header);
  }
}

std::optional<std::string_view> HeaderEditor::find(std::string_view key) const {
  for (const auto& [name, value] : headers_) {
    if (name == key) {
      return value;
    }
  }
  return std::nullopt;
}

void HeaderEditor::set(std::string_view key, std::string_view value) {
  for (auto& [name, old_value] : headers_) {
    if (name == key) {
      old_value = value;
      return;
    }
  }
  headers_.emplace_back(key, value);
}

bool HeaderEditor::erase(std::string_view key) {
  return std::erase_if(headers_, [&](const Header& header) { return header.first == key; }) > 0;
}

std::size_t HeaderEditor::encoded_bound() const {
  std::size_t bound = 11;
  for (const auto& [key, value] : headers_) {
    bound += key.size() + value.size() + 20;
  }
  return bound;
}

char* HeaderEditor::encode(char* out) const {
  if (!headers_.empty()) {
    out = put_avro_long(out, static_cast<std::int64_t>(headers_.size()));
    for (const auto& [key, value] : headers_) {
      out = put_bytes(put_bytes(out, key), value);
    }
  }
  *out++ = 0;
  return out;
}

std::string HeaderEditor::encode() const {
  std::string block(encoded_bound(), '\0');
  block.resize(static_cast<std::size_t>(encode(block.data()) - block.data()));
  return block;
}

}  // namespace millrace
