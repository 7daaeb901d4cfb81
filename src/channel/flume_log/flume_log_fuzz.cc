// Fuzzes the reader of a Flume file channel's log: the bytes of a log file, scanned, replayed and
// read. The first byte says whether lengths in frames are made to fit what they frame.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "channel/flume_log/event_reader.h"
#include "channel/flume_log/folders.h"
#include "channel/flume_log/replay.h"
#include "io/fake_file_system.h"

namespace millrace::flume_log {
namespace {

// Behind each mark of a record.
void repair_lengths(std::string& log) {
  for (std::size_t at = 0; at + kFrameBytes < log.size(); ++at) {
    if (log[at] != kRecordMark) {
      continue;
    }
    const Result<std::uint64_t> length =
        payload_length(std::string_view(log).substr(at + kFrameBytes, kPayloadHeadBytes));
    if (length.ok() && at + kFrameBytes + length.value() <= log.size()) {
      for (int i = 0; i < 4; ++i) {
        log[at + 1 + static_cast<std::size_t>(i)] =
            static_cast<char>(length.value() >> (24 - 8 * i));
      }
    }
  }
}

void check(const Contents& contents, std::size_t log_bytes) {
  CHECK(contents.found ==
        contents.events.size() + contents.taken + contents.uncommitted + contents.damages.size());
  std::uint64_t last = 0;
  for (const Damage& damage : contents.damages) {
    CHECK(damage.from.offset >= last && damage.to > damage.from.offset && damage.to <= log_bytes);
    last = damage.to;
  }
}

}  // namespace
}  // namespace millrace::flume_log

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  using namespace millrace::flume_log;
  if (size == 0) {
    return 0;
  }
  std::string log(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) {
    repair_lengths(log);
  }
  FakeFileSystem files;
  files.put("/c/x", {});
  files.put("/d/log-1", log);
  const Result<Folders> folders = open_folders(files, "/c", {"/d"});
  if (!folders.ok()) {
    return 0;
  }
  const Result<Contents> contents =
      replay(files, folders.value(), CheckpointReading{std::nullopt, {}});
  CHECK(contents.ok());
  check(contents.value(), log.size());
  EventReader reader(files, folders.value());
  for (const Pointer& pointer : contents.value().events) {
    CHECK(reader.read(pointer).ok());
  }
  // Whatever a queue may point at.
  for (std::uint32_t offset = 0; offset < log.size(); offset += 3) {
    CHECK(reader.read({1, offset}).ok());
  }
  return 0;
}
