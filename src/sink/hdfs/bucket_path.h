// hdfs.path and hdfs.filePrefix: which folder, and which row of files, an event belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/event_batch.h"
#include "sink/event_text.h"
#include "sink/event_time.h"

namespace millrace {

// Looks at each event and says whether it goes where the last one went: the parts that an event has
// in common with the last are not made again, so that most cost a comparison.
//
// What an event brings stays below the folder that the path begins with: "." and ".." as a name,
// NUL and, in HDFS, colons are written %2E, %00, %3A; a slash makes folders, as in Flume.
// Threads: its sink's.
class BucketPath {
 public:
  struct Options {
    EventText folder;
    EventText prefix;  // Of the files' names.
    EventTimeRules time;
    bool use_local_time = false;  // Not the header "timestamp".
    bool escape_colons = false;
  };
  enum class Step {
    kSame,      // As the last event that was not rejected.
    kOther,     // folder() and prefix() say where.
    kRejected,  // reason() says why.
  };

  explicit BucketPath(Options options);

  // Before the events of a batch. `now_ms`: since 1970, for use_local_time.
  void start_batch(std::int64_t now_ms);
  Step next(const EventRef& event);
  // The next event is kOther or kRejected.
  void forget_last() { has_last_ = false; }

  // Of the last event; valid until the next call.
  const std::string& folder() const { return folder_; }
  const std::string& prefix() const { return prefix_; }
  const std::string& reason() const { return reason_; }

 private:
  struct Value {  // Of a header.
    std::string_view name;
    std::string text;
  };
  bool read_time(const EventRef& event, std::int64_t& ms);
  bool enter_window(std::int64_t ms);
  bool take_headers(const EventRef& event);
  bool render();
  void append(const EventText& text, std::size_t& value, std::string& out) const;
  bool reject(std::string reason);

  const Options options_;
  const bool needs_time_;
  std::int64_t step_seconds_ = 1;  // Within which no piece of the time changes.
  std::vector<Value> values_;      // In the order of the pieces.
  bool has_raw_time_ = false;
  std::int64_t now_ms_ = 0;

  // Of the last event.
  bool has_last_ = false;
  std::string_view block_;
  std::int64_t ms_ = 0;
  std::int64_t window_begin_ = 0;  // Seconds; the time's pieces are the same within.
  std::int64_t window_end_ = 0;
  LocalTime local_;
  std::string folder_;
  std::string prefix_;
  std::string reason_;
};

// `path` without empty names, and with those that lead elsewhere escaped.
std::string safe_path(std::string_view path, bool escape_colons);

}  // namespace millrace
