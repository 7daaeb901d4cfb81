#include "client/hdfs/packet_window.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace millrace::hdfs {

void PacketWindow::push(OutgoingPacket packet) {
  memory_ += packet.memory();
  packets_.push_back(std::move(packet));
}

const OutgoingPacket* PacketWindow::unsent() const {
  return sent_ < packets_.size() ? &packets_[sent_] : nullptr;
}

void PacketWindow::sent(std::size_t bytes) {
  const OutgoingPacket& packet = packets_[sent_];
  sent_bytes_ += bytes;
  CHECK(sent_bytes_ <= packet.wire_size());
  most_sent_ = std::max(most_sent_, packet.end());
  if (sent_bytes_ == packet.wire_size()) {
    ++sent_;
    sent_bytes_ = 0;
  }
}

Result<> PacketWindow::acknowledge(std::int64_t seqno) {
  if (sent_ == 0 || packets_.front().header().seqno != seqno) {
    return corrupt(fmt::format("an ack of packet {}, which was not the next", seqno));
  }
  acked_ = std::max(acked_, packets_.front().end());
  memory_ -= packets_.front().memory();
  packets_.pop_front();
  --sent_;
  return {};
}

void PacketWindow::acknowledge_all() {
  acked_ = packets_.empty() ? acked_ : std::max(acked_, packets_.back().end());
  packets_.clear();
  memory_ = 0;
  rewind();
}

void PacketWindow::rewind() {
  sent_ = 0;
  sent_bytes_ = 0;
}

}  // namespace millrace::hdfs
