// The contract of an event serializer: events in, bytes of a file out.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/event_batch.h"

namespace millrace {

// What the bytes of a file are, for who finds its last whole record (serializer/whole_part.h).
enum class FileContents { kBytes, kLines, kAvroContainer, kSequenceFile };

// Appends to `out`, which the caller empties into the file whenever it likes. A format without
// head, blocks and end, such as lines of text, has append() alone. Threads: its sink's.
class EventSerializer {
 public:
  virtual ~EventSerializer() = default;
  virtual FileContents contents() const = 0;
  // Every event has a place in this format: check() need not be asked.
  virtual bool takes_all() const { return true; }
  // kRejected, with the reason, for an event that this format can never hold: its sink rejects it
  // and appends the rest; append() fails as a whole for a batch with one.
  virtual Result<> check(const EventRef&) { return {}; }
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
