// Events as a stream of bytes: JSON lines, or an Avro container of Flume's event schema.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_system.h"
#include "io/file_writer.h"

namespace millrace {

// Where the bytes go: to stdout, or to a file that is there whole and durable after finish(), and
// not at all before. Threads: one.
class OutputTarget {
 public:
  // `path` empty: stdout.
  static Result<OutputTarget> open(FileSystem& files, const std::string& path);

  Result<> append(std::string_view bytes);
  Result<> finish();

 private:
  OutputTarget(FileSystem& files, std::filesystem::path path)
      : files_(&files), path_(std::move(path)) {}
  std::filesystem::path temporary() const { return path_.string() + ".tmp"; }

  FileSystem* files_;
  std::filesystem::path path_;
  std::unique_ptr<FileWriter> file_;  // Null: stdout.
};

// An event of a channel. Borrows.
struct ChannelEvent {
  std::uint64_t number = 0;
  std::int64_t time_ms = 0;  // Of its put, since 1970 UTC; 0: unknown.
  std::string_view headers;  // A header block, or nothing.
  std::string_view body;
};

// Threads: one.
class EventOutput {
 public:
  virtual ~EventOutput() = default;
  virtual Result<> write(const ChannelEvent& event) = 0;
  // All that was written is at its target, whole.
  virtual Result<> finish() = 0;
};

// {"number":0,"time":"…","headers":{…},"body":"…"}, a line each. A body that is no UTF-8 is given
// in base64, with "body_encoding":"base64" beside it.
std::unique_ptr<EventOutput> json_output(OutputTarget target);
Result<std::unique_ptr<EventOutput>> avro_output(OutputTarget target);

std::string json_line(const ChannelEvent& event);

}  // namespace millrace
