// What sinks that deliver exactly once have committed: an intent lies in the acknowledgement of the
// events that it speaks of, so that both are durable or neither.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace::file_channel {

struct Intent {
  std::string sink;
  std::uint64_t sequence = 0;  // Of the channel's intents: a later one replaces its sink's earlier.
  std::string bytes;           // The sink's own; empty: there is nothing left to finish.
};

// The latest of each sink. Threads: as its owner.
class Intents {
 public:
  // Bytes that an intent may have: some 100,000 files.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  void add(Intent intent);
  void add(const Intents& others);
  const Intent* find(std::string_view sink) const;  // Null: none was ever committed.
  bool empty() const { return intents_.empty(); }
  std::vector<const Intent*> all() const;  // By sink.
  std::uint64_t next_sequence() const;

  // As docs/formats/file-channel.md gives them.
  std::string encode() const;
  // kCorrupt for anything but whole intents.
  static Result<Intents> decode(std::string_view bytes);

 private:
  std::map<std::string, Intent, std::less<>> intents_;
};

}  // namespace millrace::file_channel
