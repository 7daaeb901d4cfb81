// A source's way into one of its channels: what the channel does not take waits here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/executor.h"
#include "base/metrics.h"
#include "core/channel.h"
#include "core/channel_processor.h"
#include "core/put_ledger.h"

namespace millrace {

// What the outlets of one channel processor share. Threads: the executor's.
struct OutletFrame {
  OutletFrame(std::string source, Clock& agent_clock, MetricGroup& metrics)
      : component(std::move(source.insert(0, "source "))),
        clock(agent_clock),
        ledger(metrics),
        write_fail(metrics.counter("ChannelWriteFail")),
        optional_lost(metrics.counter("OptionalChannelDropCount")),
        given_up(metrics.counter("EventGivenUpCount")) {}

  const std::string component;  // For the log.
  Clock& clock;
  Executor* executor = nullptr;  // Set when the source attaches itself.
  WhenRefused when_refused = WhenRefused::kWait;
  bool gave_up = false;  // The source stops: what fails from now on is not tried again.
  PutLedger ledger;
  Counter& write_fail;
  Counter& optional_lost;
  Counter& given_up;
};

// Offers pieces of batches to the channel in their order, again when it has room, and after a
// failure when nobody upstream can be told of it. Pieces that may be given up are, once they have
// waited for the channel's keep-alive.
//
// Repeats: a piece whose put failed is put again.
// Threads: the frame's executor's. Channels and timers refer to it weakly: what they say after its
// end goes nowhere.
class ChannelOutlet final : public std::enable_shared_from_this<ChannelOutlet> {
 public:
  ChannelOutlet(std::shared_ptr<Channel> channel, std::shared_ptr<OutletFrame> frame)
      : channel_(std::move(channel)), frame_(std::move(frame)) {}

  // The batch waits in pieces of at most the channel's transaction capacity, each of which opens
  // `ticket` once more. Without a ticket the channel is optional: what does not fit is dropped.
  void enqueue(const BatchPtr& batch, const std::shared_ptr<PutTicket>& ticket);
  // Offers what waits until the channel takes no more.
  void pump();
  // Everything that waits is refused and counted.
  void give_up();

 private:
  // A part of a batch on its way.
  struct Piece {
    BatchPtr batch;
    std::shared_ptr<PutTicket> ticket;  // Null: optional.
    SteadyTime deadline;                // When it is given up, if it may be.
    std::uint64_t number;               // Counts the pieces: their order.
  };

  PutStatus offer(const Piece& piece);
  void answer_arrived(const Piece& piece, Result<> result);
  void answered(Piece piece, Result<> result);
  bool refused_as_closed(const Piece& piece);
  void failed(Piece piece, Error error);
  void put_back(Piece piece);
  void rest();
  void wait_for_room();
  bool may_expire(const Piece& piece) const;
  void arm_expiry();
  void expire();
  void pop();
  void lose_optional(const Piece& piece);
  bool complaint_is_due();

  const std::shared_ptr<Channel> channel_;
  const std::shared_ptr<OutletFrame> frame_;
  std::deque<Piece> waiting_;  // In their order.
  std::uint64_t next_number_ = 0;
  std::size_t waiting_optional_bytes_ = 0;
  bool asked_for_room_ = false;
  bool expiry_armed_ = false;  // A timer for the first piece that waits: one is enough.
  bool resting_ = false;       // After a failure, until a timer ends it.
  int failures_ = 0;
  std::optional<SteadyTime> complained_{};
};

}  // namespace millrace
