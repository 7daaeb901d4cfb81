// The contract of an event deserializer: bytes of a file in, events out. The counterpart of Flume's
// EventDeserializer, and of the stream below it that knows its position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/event_batch.h"
#include "core/headers.h"
#include "io/file_system.h"

namespace millrace {

// What becomes of bytes that cannot be read.
enum class DecodeErrors { kFail, kReplace, kIgnore };

// The file that one deserializer takes apart.
struct DeserializerContext {
  BatchSpace& space;  // That its events lie in; outlives the deserializer.
  std::unique_ptr<File> file;
  std::string name;        // Of the file, for the log.
  std::uint64_t position;  // Where to go on: 0, or the position() of an earlier deserializer.
  std::uint64_t end;       // Bytes; what is written behind them later is not read.
  std::string charset = "UTF-8";  // Of text.
  DecodeErrors errors = DecodeErrors::kFail;
};

// Threads: its source's.
class EventDeserializer {
 public:
  enum class Read {
    kEvents,    // The builder has what it may have; there may be more.
    kEnd,       // Nothing is left of the file.
    kNoMemory,  // Ask again when batches have left.
  };

  virtual ~EventDeserializer() = default;
  // Comes first: looks at what the file begins with, and adds the headers that each of its events
  // gets. Views put in live as long as this. kCorrupt when it is no file of this kind.
  virtual Result<> begin(HeaderEditor&) { return {}; }
  // Adds events with the block `headers` until the builder has `most`, the file ends or memory
  // does: then there may be some too. kCorrupt behind the events before the bad bytes.
  virtual Result<Read> read(EventBatch::Builder& builder, std::size_t most,
                            std::string_view headers) = 0;
  // Where another one goes on behind the events given, without losing any.
  virtual std::uint64_t position() const = 0;
};

}  // namespace millrace
