// The contract of an event serializer: events in, bytes of a file out.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/event_batch.h"

namespace millrace {

// Appends to `out`, which the caller empties into the file whenever it likes. A format without
// head, blocks and end, such as lines of text, has append() alone. Threads: its sink's.
class EventSerializer {
 public:
  virtual ~EventSerializer() = default;
  // What a new file starts with.
  virtual Result<> begin(std::string&) { return {}; }
  virtual Result<> append(const EventBatch& batch, std::string& out) = 0;
  // Everything appended so far becomes readable: ends the open block, if the format has blocks.
  virtual Result<> flush(std::string&) { return {}; }
  // Forgets what was appended and did not reach `out`: a transaction failed, its events come again.
  virtual void drop_open() {}
  // What a file ends with; flush() came before.
  virtual Result<> end(std::string&) { return {}; }
};

}  // namespace millrace
