// Goal: nothing that a DataNode sends to a reader crashes it or gives it bytes that were not sent.
// Method: an answer that is right, or the input's own, then the input as packets; each input also
// with a whole packet in front.
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "client/hdfs/block_reader.h"
#include "client/hdfs/outgoing_packet.h"

namespace millrace::hdfs {
namespace {

constexpr std::uint64_t kOffset = 100;
constexpr std::uint64_t kEnd = 3000;

// SUCCESS, checksums of 512 bytes each by CRC-32C, the first packet from 0 on.
constexpr std::string_view kAnswer{"\x0D\x08\x00\x22\x09\x0A\x05\x08\x02\x10\x80\x04\x10\x00", 14};

std::string packet_bytes() {
  OutgoingPacket packet(0, 1024, {});
  packet.append(std::string(1024, 'x'));
  packet.seal(0, false, false);
  std::array<iovec, 3> space;
  std::string wire;
  for (const iovec& piece : packet.pieces(0, space)) {
    wire.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
  }
  return wire;
}

// How many bytes can be read before the end or an error.
std::uint64_t read_all(const std::string& sent) {
  std::array<int, 2> ends;
  CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
  DataSocket server = DataSocket::adopt(Descriptor(ends[0]), "server");
  const Patience patience = Patience().within(std::chrono::seconds(5));
  CHECK(server.send_all(sent, patience).ok());
  ::shutdown(ends[0], SHUT_WR);
  const StreamOptions options;
  auto reader = BlockReader::begin(DataSocket::adopt(Descriptor(ends[1]), "client"), {}, kOffset,
                                   kEnd, "fuzz", options, patience);
  std::array<char, 100> space;
  while (reader.ok() && reader->offset() < kEnd && reader->read(space, patience).ok()) {
    CHECK(reader->offset() <= kEnd);
  }
  return reader.ok() ? reader->offset() - kOffset : 0;
}

}  // namespace
}  // namespace millrace::hdfs

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::hdfs;
  const std::string bytes(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 65'536));
  static const std::string packet = packet_bytes();
  CHECK(read_all(bytes) <= bytes.size());
  CHECK(read_all(std::string(kAnswer) + bytes) <= bytes.size());
  const std::uint64_t read = read_all(std::string(kAnswer) + packet + bytes);
  CHECK(read >= 900 && read <= 1024 + bytes.size());
  return 0;
}
