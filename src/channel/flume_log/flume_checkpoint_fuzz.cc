// Fuzzes the readers of a Flume file channel's checkpoint: its queue, its .meta, the transactions
// under way, and the .meta of logs. The first byte says which of them the rest is, or is cut into.
#include <openssl/evp.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "channel/flume_log/checkpoint.h"
#include "channel/flume_log/metadata.h"
#include "io/fake_file_system.h"

namespace millrace::flume_log {
namespace {

std::string with_digest(std::string_view numbers) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  std::size_t length = 0;
  CHECK(::EVP_Q_digest(nullptr, "MD5", nullptr, numbers.data(), numbers.size(), digest, &length) ==
        1);
  return std::string(reinterpret_cast<const char*>(digest), length).append(numbers);
}

void read_inflight(std::string_view rest) {
  const Result<Inflight> inflight = decode_inflight(with_digest(rest));
  std::size_t pointers = 0;
  if (inflight.ok()) {
    for (const auto& [transaction, events] : inflight.value()) {
      pointers += events.size();
    }
  }
  CHECK(pointers <= rest.size() / 8);
}

// A .meta, and behind it the numbers of the checkpoint, but for most of the zeros before its ring.
void read_checkpoint(std::string_view rest) {
  constexpr std::size_t kMetaBytes = 40;
  constexpr std::size_t kFirstNumbers = 5 * 8;
  if (rest.size() < kMetaBytes + kFirstNumbers) {
    return;
  }
  const std::string_view numbers = rest.substr(kMetaBytes);
  FakeFileSystem files;
  files.put("/c/checkpoint.meta", rest.substr(0, kMetaBytes));
  files.put("/c/checkpoint", std::string(numbers.substr(0, kFirstNumbers)) +
                                 std::string(1024 * 8, '\0').append(numbers.substr(kFirstNumbers)));
  const Result<CheckpointReading> reading = read_flume_checkpoint(files, "/c");
  CHECK(reading.ok());
  if (reading.value().checkpoint) {
    CHECK(reading.value().checkpoint->queue.size() <= numbers.size() / 8);
  } else {
    CHECK(!reading.value().why_not.empty());
  }
}

}  // namespace
}  // namespace millrace::flume_log

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::flume_log;
  if (size == 0) {
    return 0;
  }
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0: {
      const auto meta = decode_log_meta(rest);
      CHECK(!meta.ok() || meta.value().replay_from(INT64_MAX) <= INT64_MAX);
      break;
    }
    case 1:
      read_inflight(rest);
      break;
    default:
      read_checkpoint(rest);
  }
  return 0;
}
