#include "source/exec/output_lines.h"

#include <algorithm>
#include <cstring>

#include "source/exec/find_line_end.h"

namespace millrace {
namespace {

constexpr std::size_t kLeastRead = 64 * 1024;

}  // namespace

// A long line gets more room each time, so that it is not copied too often.
std::span<char> OutputLines::room() {
  room_ = space_.bodies.room(tail_.size() + std::max(kLeastRead, tail_.size()));
  return room_.empty() ? room_ : room_.subspan(tail_.size());
}

// The tail was searched before: the search for a line's end begins behind it.
void OutputLines::take(std::size_t count, const std::function<void()>& put) {
  std::memcpy(room_.data(), tail_.data(), tail_.size());
  const SlabPtr slab = space_.bodies.slab();
  const char* line = room_.data();
  const char* const end = line + tail_.size() + count;
  // Interceptors may write into the slab, behind these bytes.
  space_.bodies.take(static_cast<std::size_t>(end - line));
  const char* kept = line;
  const char* from = line + tail_.size();
  const auto keep = [&] {
    builder_.keep_bytes(slab, {kept, static_cast<std::size_t>(line - kept)});
    kept = line;
  };
  if (skip_newline_ && *from == '\n') {
    line = ++from;  // The tail is empty behind a line's end.
  }
  skip_newline_ = false;
  for (const char* at; (at = find_line_end(from, end)) != end;) {
    builder_.add({line, static_cast<std::size_t>(at - line)});
    const bool pair = *at == '\r' && at + 1 != end && at[1] == '\n';
    skip_newline_ = *at == '\r' && at + 1 == end;
    line = from = at + (pair ? 2 : 1);
    if (builder_.size() >= batch_size_) {
      keep();
      put();
    }
  }
  if (static_cast<std::size_t>(end - line) > kLongestLine) {  // Its end may still come.
    incomplete_events_.add();
    builder_.add({line, static_cast<std::size_t>(end - line)});
    line = end;
  }
  tail_.assign(line, static_cast<std::size_t>(end - line));
  keep();
}

void OutputLines::end() {
  if (!tail_.empty()) {
    builder_.add(builder_.store_read_body(tail_));
    tail_.clear();
  }
  skip_newline_ = false;
}

}  // namespace millrace
