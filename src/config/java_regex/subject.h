// A text as Java's patterns see it: bytes, read as UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::java_regex {

bool is_ascii(std::string_view text);

// Malformed bytes are seen as U+FFFD, and remembered: what is put back from the text is the bytes
// that were there. Threads: one at a time.
class Subject {
 public:
  // Borrows `bytes` until the next call.
  void set(std::string_view bytes);
  // Borrowed from the bytes or from this.
  std::string_view text() const { return text_; }
  bool ascii() const { return is_ascii_; }
  // The bytes behind a part of text(), whose bounds lie between characters.
  std::string_view bytes_between(std::size_t from, std::size_t to) const {
    return bytes_.substr(offset_of(from), offset_of(to) - offset_of(from));
  }
  // Appends them.
  void append_bytes(std::size_t from, std::size_t to, std::string& out) const;

 private:
  struct Malformed {
    std::size_t at;      // Of its U+FFFD in decoded_.
    std::size_t offset;  // Of its bytes.
    std::size_t length;
  };
  void decode();
  std::size_t offset_of(std::size_t at) const;

  std::string_view bytes_;
  std::string_view text_;
  bool is_ascii_ = true;
  std::string decoded_;
  std::vector<Malformed> malformed_;
};

}  // namespace millrace::java_regex
