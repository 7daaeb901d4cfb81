// Reads events out of Flume's log files, by the pointers of its queue.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <variant>

#include "channel/flume_log/file_window.h"
#include "channel/flume_log/folders.h"
#include "channel/flume_log/record.h"
#include "channel/flume_log/replay.h"

namespace millrace::flume_log {

// Flume's fcintegritytool took the event out.
struct Removed {};

// Quick where the pointers ascend within each data dir, as a queue's do. Threads: one.
class EventReader {
 public:
  EventReader(FileSystem& files, const Folders& folders);

  // The event that a put's record holds; its views last until the next call. A Damage when it
  // cannot be read. An error is the disk's.
  using Read = std::variant<const StoredEvent*, Removed, Damage>;
  Result<Read> read(Pointer pointer);
  // The write order of a put's record; 0 when it cannot be read.
  Result<std::int64_t> write_order(Pointer pointer);

 private:
  struct OpenLog {
    const LogFile* log;
    FileWindow window;
  };

  // Null for a log that is not there.
  Result<OpenLog*> open_log(std::uint32_t number);
  Result<Read> read_record(OpenLog& log, Pointer pointer);

  FileSystem& files_;
  const Folders& folders_;
  std::list<OpenLog> open_;  // The one that was used last comes first.
  StoredEvent event_;
};

}  // namespace millrace::flume_log
