// Goal: no ack of a DataNode crashes a writer, and where the stream is torn changes nothing.
// Method: the bytes are taken as a stream of acks, whole and in two parts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "client/hdfs/pipeline_ack.h"

namespace millrace::hdfs {
namespace {

// What is read until more bytes are needed or they are no acks: numbers and replies.
struct Acks {
  std::string text;
  bool broken = false;

  // Gives the bytes that are left.
  std::string_view take(std::string_view bytes) {
    for (PipelineAck ack; !broken;) {
      const std::size_t before = bytes.size();
      const Result<bool> taken = take_pipeline_ack(bytes, ack);
      broken = !taken.ok();
      if (broken || !*taken) {
        CHECK(bytes.size() == before);
        break;
      }
      CHECK(bytes.size() < before && ack.replies.size() <= before);
      text += std::to_string(ack.seqno) + ":";
      for (const TransferStatus reply : ack.replies) {
        text += std::to_string(static_cast<std::uint32_t>(reply)) + ",";
      }
    }
    return bytes;
  }
};

}  // namespace
}  // namespace millrace::hdfs

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::hdfs;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Acks whole;
  whole.take(bytes);
  const std::size_t cut = size > 0 ? data[0] % size : 0;
  Acks torn;
  std::string rest(torn.take(bytes.substr(0, cut)));
  rest += bytes.substr(cut);
  torn.take(rest);
  CHECK(torn.text == whole.text && torn.broken == whole.broken);
  return 0;
}
