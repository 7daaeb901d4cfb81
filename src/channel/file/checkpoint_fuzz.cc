// Fuzzes the readers of the file channel's checkpoint and channel.meta: each input as it is, and
// with the checksum at its end made right, so that what it covers is read too.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/check.h"
#include "base/checksum.h"
#include "channel/file/checkpoint.h"
#include "channel/file/identity.h"

namespace millrace::file_channel {
namespace {

void read_checkpoint(const std::string& bytes) {
  const Result<Checkpoint> checkpoint = decode_checkpoint(bytes);
  if (checkpoint.ok()) {
    CHECK(encode_checkpoint(checkpoint.value()) == bytes);
  }
}

void read_meta(const std::string& text) {
  const Result<DirMeta> meta = decode_meta(text);
  if (meta.ok()) {
    const std::string written = encode_meta(meta.value());
    CHECK(encode_meta(decode_meta(written).value()) == written);
  }
}

}  // namespace
}  // namespace millrace::file_channel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  using namespace millrace::file_channel;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read_checkpoint(bytes);
  read_meta(bytes);
  std::string text = bytes.substr(0, std::min(bytes.size(), bytes.rfind("crc32c ")));
  read_meta(text + fmt::format("crc32c {:08x}\n", crc32c(text)));
  bytes.resize(size - std::min(size, sizeof(std::uint32_t)));
  append_little(bytes, crc32c(bytes));
  read_checkpoint(bytes);
  return 0;
}
