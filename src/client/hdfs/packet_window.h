// The packets of a block that the pipeline has not acknowledged: sent, or still to be sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "base/result.h"
#include "client/hdfs/outgoing_packet.h"

namespace millrace::hdfs {

// In order; acknowledged in order. After a failure of the pipeline all of them are sent again.
// Threads: one at a time.
class PacketWindow {
 public:
  explicit PacketWindow(std::int64_t begin) : most_sent_(begin), acked_(begin) {}

  void push(OutgoingPacket packet);  // Sealed.

  bool empty() const { return packets_.empty(); }
  std::size_t size() const { return packets_.size(); }
  std::size_t memory() const { return memory_; }  // Bytes.

  // What is to be sent next: the packet, and how much of it is gone. Null: nothing is.
  const OutgoingPacket* unsent() const;
  std::size_t sent_of_unsent() const { return sent_bytes_; }
  void sent(std::size_t bytes);  // So much of unsent() is gone.
  bool in_the_middle() const { return sent_bytes_ > 0; }
  bool awaits_acks() const { return sent_ > 0; }  // A packet is sent whole.
  // Bytes of the block that were ever sent, even in part.
  std::int64_t most_sent() const { return most_sent_; }
  std::int64_t acked() const { return acked_; }  // Bytes of the block that are acknowledged.

  // The oldest is acknowledged, which must be the one with this number: else kCorrupt.
  Result<> acknowledge(std::int64_t seqno);
  void acknowledge_all();
  void rewind();  // Nothing of it counts as sent.

 private:
  std::deque<OutgoingPacket> packets_;
  std::size_t sent_ = 0;        // Packets that are gone whole.
  std::size_t sent_bytes_ = 0;  // Bytes gone of the one behind them.
  std::size_t memory_ = 0;
  std::int64_t most_sent_;
  std::int64_t acked_;
};

}  // namespace millrace::hdfs
