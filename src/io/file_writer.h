// Appends to a file by way of a buffer: what sinks write their output with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// Durable: what was appended before sync() began, once it returned ok. What was appended and not
// flushed is lost with the writer; its destructor writes nothing.
// After a failed sync() the kernel may have dropped the pages: every later call fails with the same
// error, and the caller goes on in another file. After a failed write the same bytes are tried
// again, at the same place, by the next flush().
// Threads: one.
class FileWriter {
 public:
  static constexpr std::size_t kBufferBytes = 256 * 1024;

  // Goes on at `position`, the end of what the file holds.
  explicit FileWriter(std::unique_ptr<File> file, std::uint64_t position = 0);

  // Writes to the file when the buffer is full.
  Result<> append(std::string_view bytes);
  // Hands everything appended to the operating system.
  Result<> flush();
  // flush(), then waits until the disk has it. Costs nothing when nothing is new since the last.
  Result<> sync();
  // Forgets what was appended behind `position`, in the buffer and in the file.
  Result<> truncate(std::uint64_t position);

  // Bytes in the file once all that was appended is written.
  std::uint64_t position() const { return written_ + buffer_.size(); }

 private:
  Result<> check_usable() const;

  std::unique_ptr<File> file_;
  std::string buffer_;
  std::uint64_t written_;     // Where the buffer's first byte goes.
  bool synced_ = true;        // Nothing was written since the last sync.
  std::string sync_failure_;  // What a sync said; empty while none failed.
};

}  // namespace millrace
