#include "client/hdfs/block_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace millrace::hdfs {

Result<BlockReader> BlockReader::open(const LocatedBlock& block, const DatanodeId& node,
                                      std::uint64_t offset, std::uint64_t end,
                                      const std::string& client_name, const StreamOptions& options,
                                      Patience patience) {
  DataSocket socket = TRY(connect_data_node(node, options, patience));
  return begin(std::move(socket), block, offset, end, client_name, options, patience);
}

Result<BlockReader> BlockReader::begin(DataSocket socket, const LocatedBlock& block,
                                       std::uint64_t offset, std::uint64_t end,
                                       const std::string& client_name, const StreamOptions& options,
                                       Patience patience) {
  BlockReader reader(options);
  reader.socket_ = std::move(socket);
  const Patience answer_by = patience.within(options.read_timeout(1));
  TRY(reader.socket_.send_all(
      encode_read_block(client_name, block.block, block.token, offset, end - offset), answer_by));
  const std::string bytes = TRY(reader.socket_.receive_message(kMostAnswerBytes, answer_by));
  const TransferAnswer answer = TRY(decode_answer(bytes, true));
  if (answer.status != TransferStatus::kSuccess) {
    return transient(fmt::format("DataNode {} does not give the block: {} {}",
                                 reader.socket_.peer(), to_string(answer.status), answer.message));
  }
  if (answer.chunk_offset > offset) {
    return corrupt(fmt::format("DataNode {} begins behind what was asked", reader.socket_.peer()));
  }
  reader.checksums_ = answer.checksums;
  reader.packet_end_ = answer.chunk_offset;
  reader.offset_ = offset;
  reader.end_ = end;
  return reader;
}

Result<> BlockReader::read(std::span<char> space, Patience patience) {
  while (!space.empty()) {
    if (unread_.empty()) {
      TRY(next_packet(patience.within(options_->read_timeout(1))));
    }
    const std::size_t count = std::min(space.size(), unread_.size());
    std::copy_n(unread_.begin(), count, space.begin());
    unread_.remove_prefix(count);
    space = space.subspan(count);
    offset_ += count;
  }
  return offset_ == end_ ? finish(patience) : Result<>();
}

// The next one that has bytes from offset_ on: the first ones may begin before, with their chunk.
Result<> BlockReader::next_packet(Patience patience) {
  while (unread_.empty()) {
    const PacketHeader header = TRY(receive_packet(patience).with("DataNode " + socket_.peer()));
    const std::string_view data =
        std::string_view(packet_).substr(packet_.size() - header.data_bytes);
    const auto begin = static_cast<std::uint64_t>(header.offset_in_block);
    packet_end_ = begin + data.size();
    unread_ =
        packet_end_ > offset_ ? data.substr(offset_ - begin, end_ - offset_) : std::string_view();
  }
  return {};
}

Result<PacketHeader> BlockReader::receive_packet(Patience patience) {
  std::array<char, kPacketLengthsBytes> head;
  TRY(socket_.receive_all(head, patience));
  const PacketLengths lengths = TRY(decode_packet_lengths({head.data(), head.size()}));
  std::string header_bytes(lengths.header_bytes, '\0');
  TRY(socket_.receive_all(header_bytes, patience));
  const PacketHeader header = TRY(decode_packet_header(header_bytes));
  if (header.data_bytes > lengths.payload_bytes ||
      static_cast<std::uint64_t>(header.offset_in_block) != packet_end_) {
    return corrupt("a packet that does not follow the one before");
  }
  if (header.data_bytes == 0) {
    return transient("the block ends before its length");
  }
  packet_.resize(lengths.payload_bytes);
  TRY(socket_.receive_all(packet_, patience));
  const std::string_view payload = packet_;
  const std::size_t sums = payload.size() - header.data_bytes;
  TRY(checksums_.verify(payload.substr(sums), payload.substr(0, sums)));
  return header;
}

// All is read: the DataNode learns that the checksums were right.
Result<> BlockReader::finish(Patience patience) {
  const std::string done = encode_read_done();
  static_cast<void>(socket_.send_all(done, patience));  // It would change nothing for us.
  return {};
}

}  // namespace millrace::hdfs
