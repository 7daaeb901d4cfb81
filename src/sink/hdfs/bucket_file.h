// A file that a bucket writes, from its first event to its last.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "client/dfs/file_system.h"
#include "core/serializer.h"

namespace millrace {

// Where it is while it is written, and afterwards.
struct FileNames {
  std::string temporary;
  std::string published;
  bool is_by_intent = false;  // What is committed of it, an intent says: exactly once.
};

// What the ledger notes for a file, and back: both names, for the keys that make one of the other
// may be changed before it is read, as may hdfs.delivery.
std::string ledger_entry(const FileNames& names);
FileNames names_of_entry(const std::string& entry);

// How far a file goes.
struct FileExtent {
  std::uint64_t length = 0;  // Bytes.
  std::uint32_t crc = 0;     // CRC-32C of these.
  std::uint64_t events = 0;
};

// Events go straight to the stream, through a space that all files of a sink share: an open file
// costs what its format keeps, and the stream's packet.
// After an error nothing but abandon() is of use. Threads: its sink's.
class BucketFile {
 public:
  BucketFile(FileNames names, std::unique_ptr<dfs::OutputStream> stream,
             std::unique_ptr<EventSerializer> serializer, SteadyTime opened_at);

  // What the format begins with. `space`: for bytes on their way, of no use afterwards.
  Result<> begin(std::string& space);
  Result<> append(const EventBatch& batch, std::string& space);
  // All that was appended is made durable, without a wait; then waits.
  Result<> start_flush(dfs::Durability durability, std::string& space);
  Result<> finish_flush();
  // What the format ends with; goes before start_flush().
  Result<> end(std::string& space);
  // False: its lease is to be recovered.
  bool close();
  void abandon();
  // What was flushed stays, whatever comes.
  void commit() {
    committed_ = written_;
    is_clean_ = true;
  }

  // Nothing was begun behind the last commit.
  bool is_clean() const { return is_clean_; }
  const FileNames& names() const { return names_; }
  const FileExtent& written() const { return written_; }
  const FileExtent& committed() const { return committed_; }
  std::uint64_t body_bytes() const { return body_bytes_; }
  SteadyTime opened_at() const { return opened_at_; }
  std::uint32_t live_replicas() const { return stream_->live_replicas(); }

 private:
  Result<> write(std::string& space);

  const FileNames names_;
  const std::unique_ptr<dfs::OutputStream> stream_;
  const std::unique_ptr<EventSerializer> serializer_;
  const SteadyTime opened_at_;
  FileExtent written_;  // With what the stream has not flushed.
  FileExtent committed_;
  std::uint64_t body_bytes_ = 0;
  bool is_clean_ = true;
};

}  // namespace millrace
