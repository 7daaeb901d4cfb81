// Goes through a log file of Flume's from record to record, and finds its way past damage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/flume_log/file_window.h"
#include "channel/flume_log/record.h"

namespace millrace::flume_log {

// Bytes [from, to) of a log file that could not be made sense of.
struct DamagedRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::string what;
  bool is_one_record = false;  // What lies behind its length is whole.
};

struct ScannedRecord {
  std::uint64_t offset = 0;
  RecordHeader header;
  std::string_view body;  // Of a put nothing: its event is read when it is wanted.
};

// Where Flume stops, or refuses to start, at a damaged record, this goes on at the next one: behind
// the length that the record gives where something whole lies there, else at the first whole record
// that can be found. Threads: one.
class LogScanner {
 public:
  // From offset `from` on, where a record begins.
  LogScanner(FileWindow file, std::uint64_t from) : file_(std::move(file)), at_(from) {}

  // The next record; its views last until the next call. Nothing at the end. An error is the
  // disk's.
  Result<std::optional<ScannedRecord>> next();

  const std::vector<DamagedRange>& damages() const { return damages_; }
  // The log ends within a record that was being written, as a crash leaves it; where that begins.
  std::optional<std::uint64_t> torn_at() const { return torn_at_; }

 private:
  struct Frame {
    std::uint64_t end = 0;  // Behind the record, as far as its length tells.
    RecordHeader header;
  };

  // What looks like a record at `at`: its length fits its contents and the file.
  Result<std::optional<Frame>> frame_at(std::uint64_t at);
  Result<std::optional<ScannedRecord>> record_at(std::uint64_t at, const Frame& frame);
  // The length in the frame at `at`; nothing when it passes the file's end.
  Result<std::optional<std::uint64_t>> framed_end(std::uint64_t at);
  // Whether something whole lies at `at`: a record, a removed one, the fill, or the end.
  Result<bool> is_whole(std::uint64_t at);
  // Whether the record at `at`, whatever is wrong in it, was written whole and ends at `end`.
  Result<bool> is_end(std::uint64_t at, std::uint64_t end);
  // Whether all of a record is there, a put's checksum included.
  Result<bool> is_sound_record(std::uint64_t at);
  Result<std::optional<std::uint64_t>> find_sound_record(std::uint64_t from);
  // Past what is no record at at_.
  Result<> skip_damage(std::string what);
  Result<> end_at_tail();
  // Where the fill, or the zeros, at the end of the file begin.
  Result<std::uint64_t> tail_begin();

  FileWindow file_;
  std::uint64_t at_;
  std::vector<DamagedRange> damages_;
  std::optional<std::uint64_t> torn_at_;
};

}  // namespace millrace::flume_log
