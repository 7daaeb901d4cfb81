// The headers of an event: string → string, ordered as put, in Avro map encoding (Avro 1.11
// specification, "Maps"): one block {count, (key, value)…} and a 0, or the 0 alone. The Avro
// serializer and the file channel copy such a block whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace millrace {

using Header = std::pair<std::string_view, std::string_view>;

// The block of an event without headers.
inline constexpr std::string_view kNoHeaders{"\0", 1};

// Reads a header block that one of our own writers made, or that check_header_block() passed.
// Borrows from the block. Iteration: for (auto [key, value] : HeaderView(block)).
class HeaderView {
 public:
  explicit HeaderView(std::string_view block) : block_(block) {}

  class Iterator {
   public:
    Iterator(const char* next, std::uint64_t left) : next_(next), left_(left) { decode(); }
    const Header& operator*() const { return header_; }
    Iterator& operator++() {
      --left_;
      decode();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return left_ != other.left_; }

   private:
    void decode();
    const char* next_;
    std::uint64_t left_;
    Header header_;
  };

  Iterator begin() const;
  Iterator end() const { return {nullptr, 0}; }
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  // The last value of `key`.
  std::optional<std::string_view> find(std::string_view key) const;
  std::string_view block() const { return block_; }

 private:
  std::string_view block_;
};

// Says kCorrupt unless `block` is exactly one whole header block of the form above. For blocks from
// a disk or a wire.
Result<> check_header_block(std::string_view block);

// Headers while they change. The views put in must outlive the encoding.
class HeaderEditor {
 public:
  HeaderEditor() = default;
  explicit HeaderEditor(std::string_view block);

  std::optional<std::string_view> find(std::string_view key) const;
  // In the place of an earlier value, or behind the last header.
  void set(std::string_view key, std::string_view value);
  bool erase(std::string_view key);
  const std::vector<Header>& headers() const { return headers_; }
  void clear() { headers_.clear(); }

  // Most bytes that encode() may need.
  std::size_t encoded_bound() const;
  // Writes the block at `out`; the byte behind it is returned.
  char* encode(char* out) const;
  std::string encode() const;

 private:
  std::vector<Header> headers_;
};

}  // namespace millrace
