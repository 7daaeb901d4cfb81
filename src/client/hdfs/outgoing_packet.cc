#include "client/hdfs/outgoing_packet.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace millrace::hdfs {

OutgoingPacket::OutgoingPacket(std::int64_t offset, std::size_t room,
                               const ChunkChecksums& checksums)
    : checksums_(checksums),
      room_(room),
      sums_bytes_(checksums.bytes_for(room)),
      bytes_(room > 0 ? std::make_unique_for_overwrite<char[]>(sums_bytes_ + room) : nullptr) {
  header_.offset_in_block = offset;
}

void OutgoingPacket::append(std::string_view bytes) {
  CHECK(bytes.size() <= room());
  if (!bytes.empty()) {
    std::memcpy(data_begin() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
}

void OutgoingPacket::seal(std::int64_t seqno, bool last_in_block, bool sync_block) {
  header_.seqno = seqno;
  header_.last_in_block = last_in_block;
  header_.sync_block = sync_block;
  header_.data_bytes = static_cast<std::uint32_t>(size_);
  if (size_ > 0) {
    checksums_.compute(data(), bytes_.get());
  }
  head_ = PacketHead(header_, static_cast<std::uint32_t>(checksums_.bytes_for(size_)));
}

std::span<const iovec> OutgoingPacket::pieces(std::size_t from, std::array<iovec, 3>& space) const {
  const std::array<std::string_view, 3> parts{
      head_.bytes(), {bytes_.get(), checksums_.bytes_for(size_)}, data()};
  std::size_t used = 0;
  for (std::string_view part : parts) {
    const std::size_t skipped = std::min(from, part.size());
    from -= skipped;
    part.remove_prefix(skipped);
    if (!part.empty()) {
      space[used++] = {const_cast<char*>(part.data()), part.size()};
    }
  }
  return std::span(space).first(used);
}

std::size_t OutgoingPacket::wire_size() const {
  return head_.bytes().size() + checksums_.bytes_for(size_) + size_;
}

}  // namespace millrace::hdfs
