// The deserializer LINE: the lines of a file, as events.
#pragma once

#include <cstdint>
#include <utility>

#include "core/event_batch.h"
#include "source/spooldir/file_window.h"
#include "source/spooldir/line_text.h"

namespace millrace {

// "\n" ends a line, and "\r" is data. A last line needs no end; an empty line is an event. A line
// of more than the longest length becomes several events, without the empty one that Flume puts
// behind a line of just that length.
// Bodies lie in the slab that was read into; only the torn tail of a read is copied.
// Threads: the window's.
class SpooledLines {
 public:
  enum class Read { kEvents, kEnd, kNoMemory };

  SpooledLines(FileWindow window, LineText text)
      : window_(std::move(window)), text_(std::move(text)) {}

  // Adds events until the builder has `most` (kEvents), the file ends or memory does: then there
  // may be some too. After kCorrupt too, those before the bad bytes.
  Result<Read> read(EventBatch::Builder& builder, std::size_t most, std::string_view headers);

  // Where the file goes on behind the events given.
  std::uint64_t position() const { return window_.position(); }

 private:
  // The bytes at hand begin with as much of a line as a piece needs.
  Result<FileWindow::More> find_line();
  Result<> add_piece(EventBatch::Builder& builder, std::string_view headers);

  FileWindow window_;
  LineText text_;
  std::size_t line_bytes_ = 0;  // Of the line at hand, as far as it was searched.
  bool has_end_ = false;        // A '\n' stands behind them.
  bool is_torn_ = false;        // A piece of the line at hand was given.
};

}  // namespace millrace
