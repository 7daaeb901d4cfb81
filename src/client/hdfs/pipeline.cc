#include "client/hdfs/pipeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace millrace::hdfs {
namespace {

constexpr std::size_t kAckRoom = 512;  // Bytes of acks read at once.

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

Result<> Pipeline::open(const WriteBlockRequest& request, Patience patience) {
  close();
  nodes_ = request.nodes.size();
  Result<> opened = connect(request, patience);
  if (!opened.ok() && !fault_ && opened.error().fault() != Fault::kClosed &&
      opened.error().fault() != Fault::kConfig && !patience.over()) {
    return blame(0, std::move(opened).error());
  }
  return opened;
}

Result<> Pipeline::connect(const WriteBlockRequest& request, Patience patience) {
  const Patience answer_by = patience.within(options_.read_timeout(nodes_));
  socket_ = TRY(connect_data_node(request.nodes.front().info.id, options_, patience));
  TRY(socket_.send_all(encode_write_block(request), answer_by));
  const std::string bytes = TRY(socket_.receive_message(kMostAnswerBytes, answer_by));
  const TransferAnswer answer = TRY(decode_answer(bytes, false));
  TRY(check_answer(answer, request));
  heard_ = sent_ = now();
  return {};
}

Result<> Pipeline::check_answer(const TransferAnswer& answer, const WriteBlockRequest& request) {
  if (answer.status == TransferStatus::kSuccess && answer.first_bad_link.empty()) {
    return {};
  }
  const Error refused =
      transient(fmt::format("DataNode {}: {} {} {}", socket_.peer(), to_string(answer.status),
                            answer.first_bad_link, answer.message));
  for (std::size_t n = 0; n < request.nodes.size(); ++n) {
    if (request.nodes[n].address() == answer.first_bad_link) {
      return blame(n, refused);
    }
  }
  return blame(0, refused);
}

void Pipeline::close() {
  socket_ = DataSocket();
  fault_.reset();
  heartbeats_owed_ = 0;
  acks_.clear();
}

Result<> Pipeline::send(PacketWindow& window) {
  while (const OutgoingPacket* packet = window.unsent()) {
    std::array<iovec, 3> space;
    const bool owed_nothing = !window.awaits_acks() && heartbeats_owed_ == 0;
    const Result<std::size_t> count =
        socket_.send_some(packet->pieces(window.sent_of_unsent(), space));
    if (!count.ok()) {
      TRY(take_acks(window));  // One that tells who failed may have come before the end.
      return blame(0, count.error());
    }
    if (*count == 0) {
      return {};
    }
    sent_ = now();
    heard_ = owed_nothing ? sent_ : heard_;
    window.sent(*count);
  }
  return {};
}

Result<> Pipeline::take_acks(PacketWindow& window) {
  std::array<char, kAckRoom> space;
  for (;;) {
    const Result<std::size_t> count = socket_.receive_some(space);
    if (!count.ok()) {
      return blame(0, count.error());
    }
    if (*count == 0) {
      return {};
    }
    heard_ = now();
    acks_.append(space.data(), *count);
    TRY(take_whole_acks(window));
    if (*count < space.size() || window.empty()) {
      return {};
    }
  }
}

Result<> Pipeline::take_whole_acks(PacketWindow& window) {
  std::string_view rest = acks_;
  for (;;) {
    const Result<bool> taken = take_pipeline_ack(rest, ack_);
    if (!taken.ok()) {
      return blame(0, taken.error());
    }
    if (!*taken) {
      break;
    }
    TRY(handle(ack_, window));
  }
  acks_.erase(0, acks_.size() - rest.size());
  return {};
}

Result<> Pipeline::handle(const PipelineAck& ack, PacketWindow& window) {
  TRY(check_replies(ack));
  if (ack.seqno == kHeartbeatSeqno) {
    heartbeats_owed_ -= heartbeats_owed_ > 0 ? 1 : 0;
    return {};
  }
  const Result<> known = window.acknowledge(ack.seqno);
  return known.ok() ? known : blame(0, known.error());
}

// As the Java client, the last node that did not succeed is the one to blame: those before it only
// tell of it.
Result<> Pipeline::check_replies(const PipelineAck& ack) {
  for (std::size_t n = std::min(ack.replies.size(), nodes_); n-- > 0;) {
    const TransferStatus reply = ack.replies[n];
    if (reply != TransferStatus::kSuccess) {
      return blame(n,
                   transient(fmt::format("DataNode {} of the pipeline of {}: {}", n + 1,
                                         socket_.peer(), to_string(reply))),
                   reply == TransferStatus::kOobRestart);
    }
  }
  return {};
}

SteadyTime Pipeline::silent_until(const PacketWindow& window) const {
  const auto limit = options_.read_timeout(nodes_);
  const bool owed = window.awaits_acks() || window.in_the_middle() || heartbeats_owed_ > 0;
  return owed && limit.count() > 0 ? heard_ + limit : SteadyTime::max();
}

SteadyTime Pipeline::next_heartbeat(const PacketWindow& window) const {
  const bool idle = window.unsent() == nullptr && options_.socket_timeout.count() > 0;
  return idle ? sent_ + options_.socket_timeout / 2 : SteadyTime::max();
}

Result<> Pipeline::check_silence(const PacketWindow& window) {
  if (now() < silent_until(window)) {
    return {};
  }
  return blame(0, system_error(fmt::format("DataNode {}: no answer", socket_.peer()), ETIMEDOUT));
}

Result<> Pipeline::wait(const PacketWindow& window, Patience patience) {
  const Patience soon{std::min({patience.until, silent_until(window), next_heartbeat(window)}),
                      patience.closed};
  Result<> woken = socket_.wait(window.unsent() != nullptr, soon);
  if (woken.ok() || woken.error().fault() == Fault::kClosed || patience.over()) {
    return woken;
  }
  return keep_alive(window);
}

Result<> Pipeline::keep_alive(const PacketWindow& window) {
  TRY(check_silence(window));
  if (now() < next_heartbeat(window)) {
    return {};
  }
  const PacketHead heartbeat({.seqno = kHeartbeatSeqno}, 0);
  const iovec piece{const_cast<char*>(heartbeat.bytes().data()), heartbeat.bytes().size()};
  const Result<std::size_t> count = socket_.send_some({&piece, 1});
  if (!count.ok()) {
    return blame(0, count.error());
  }
  if (*count != 0 && *count != piece.iov_len) {
    return blame(0, transient("no room for a heartbeat to DataNode " + socket_.peer()));
  }
  const bool owed_nothing = !window.awaits_acks() && heartbeats_owed_ == 0;
  sent_ = now();
  heard_ = owed_nothing ? sent_ : heard_;
  heartbeats_owed_ += *count != 0 ? 1 : 0;
  return {};
}

Error Pipeline::blame(std::size_t node, Error error, bool restarts) {
  fault_ = PipelineFault{node, restarts, error.message()};
  return error;
}

}  // namespace millrace::hdfs
