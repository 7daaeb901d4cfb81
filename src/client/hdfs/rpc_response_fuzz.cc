// Goal: no answer of a server crashes the client or makes it believe in more than came. Method: the
// bytes are decoded as a frame, then as each message that a NameNode answers with.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "client/hdfs/name_node_messages.h"
#include "client/hdfs/proto/name_node.pb.h"
#include "client/hdfs/remote_errors.h"
#include "client/hdfs/rpc_messages.h"

namespace {

template <class Message>
bool parses(Message& message, std::string_view bytes) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

void read_messages(std::string_view bytes) {
  using namespace millrace::hdfs;
  proto::LocatedBlocks blocks;
  if (parses(blocks, bytes)) {
    CHECK(from_message(blocks).blocks.size() == static_cast<std::size_t>(blocks.blocks_size()));
  }
  proto::AppendResponse append;
  if (parses(append, bytes)) {
    CHECK(from_message(append.block()).nodes.size() <= bytes.size());
    CHECK(from_message(append.stat(), "/a").status.path == "/a");
  }
  proto::FsServerDefaults defaults;
  if (parses(defaults, bytes)) {
    from_message(defaults);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::hdfs;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto answer = decode_answer_frame(bytes);
  if (answer.ok() && answer.value().fault) {
    CHECK(!error_of(*answer.value().fault).message().empty());
  }
  if (answer.ok()) {
    CHECK(answer.value().message.size() <= size);
    read_messages(answer.value().message);
  }
  read_messages(bytes);
  return 0;
}
