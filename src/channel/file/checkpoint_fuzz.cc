// Fuzzes the readers of the file channel's checkpoint and channel.meta. The first byte says whether
// the input is given the right checksum, so that what it covers is read too.
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/check.h"
#include "base/checksum.h"
#include "channel/file/checkpoint.h"
#include "channel/file/identity.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  using namespace millrace::file_channel;
  if (size == 0) {
    return 0;
  }
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) {
    append_little(bytes, crc32c(bytes));
  }
  const Result<Checkpoint> checkpoint = decode_checkpoint(bytes);
  if (checkpoint.ok()) {
    CHECK(encode_checkpoint(checkpoint.value()) == bytes);
  }
  const Result<DirMeta> meta = decode_meta(bytes);
  if (meta.ok()) {
    CHECK(decode_meta(encode_meta(meta.value())).ok());
  }
  return 0;
}
