// The chain of DataNodes that takes a block: one connection, to the first of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "client/hdfs/data_socket.h"
#include "client/hdfs/packet_window.h"
#include "client/hdfs/pipeline_ack.h"
#include "client/hdfs/stream_context.h"
#include "client/hdfs/transfer_messages.h"

namespace millrace::hdfs {

// Whom a failed pipeline blames.
struct PipelineFault {
  std::size_t node = 0;   // In the order of the pipeline.
  bool restarts = false;  // It said that it will be back soon.
  std::string why;
};

// Sends the packets of a window and takes their acks. A failure of the pipeline itself leaves a
// fault behind, which tells it from the end of the caller's patience. Threads: one at a time.
class Pipeline {
 public:
  explicit Pipeline(const StreamOptions& options) : options_(options) {}

  // The nodes have agreed to take the block when it succeeds.
  Result<> open(const WriteBlockRequest& request, Patience patience);
  bool is_open() const { return static_cast<bool>(socket_) && !fault_; }
  const std::optional<PipelineFault>& fault() const { return fault_; }
  void close();

  // Sends as much as the kernel takes now.
  Result<> send(PacketWindow& window);
  Result<> take_acks(PacketWindow& window);  // What is here of them.
  // Waits until either will get on; keeps the pipeline alive meanwhile.
  Result<> wait(const PacketWindow& window, Patience patience);
  // To be called now and then while nothing else is: a heartbeat when one is due, and silence
  // noticed.
  Result<> keep_alive(const PacketWindow& window);

 private:
  Result<> connect(const WriteBlockRequest& request, Patience patience);
  Result<> check_answer(const TransferAnswer& answer, const WriteBlockRequest& request);
  Result<> take_whole_acks(PacketWindow& window);
  Result<> handle(const PipelineAck& ack, PacketWindow& window);
  Result<> check_replies(const PipelineAck& ack);
  // The time at which the silence of a pipeline that owes us an ack is too long.
  SteadyTime silent_until(const PacketWindow& window) const;
  SteadyTime next_heartbeat(const PacketWindow& window) const;
  Result<> check_silence(const PacketWindow& window);
  Error blame(std::size_t node, Error error, bool restarts = false);

  const StreamOptions& options_;
  DataSocket socket_;
  std::optional<PipelineFault> fault_;
  std::size_t nodes_ = 0;
  std::size_t heartbeats_owed_ = 0;  // Sent and not acknowledged.
  SteadyTime heard_;  // When the pipeline last answered, or was first owed an answer.
  SteadyTime sent_;   // When something was last sent.
  std::string acks_;  // Read and not whole yet.
  PipelineAck ack_;
};

}  // namespace millrace::hdfs
