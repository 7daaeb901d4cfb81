#include "core/channel_outlet.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

constexpr std::size_t kMostBytesForOptional = std::size_t{4} << 20;
constexpr auto kComplainEvery = std::chrono::minutes(1);
constexpr int kLongestRest = 5;  // Seconds; each failure in a row adds one.

}  // namespace

void ChannelOutlet::enqueue(const BatchPtr& batch, const std::shared_ptr<PutTicket>& ticket) {
  const std::size_t most = channel_->transaction_capacity();
  const SteadyTime deadline = frame_->clock.steady() + channel_->keep_alive();
  for (std::size_t from = 0; from < batch->size(); from += most) {
    const std::size_t to = std::min(from + most, batch->size());
    const bool whole = from == 0 && to == batch->size();
    Piece piece{whole ? batch : batch->slice(from, to), ticket, deadline, next_number_++};
    if (ticket != nullptr) {
      ++ticket->open;
      frame_->ledger.add_waiting();
    } else {
      if (waiting_optional_bytes_ + piece.batch->bytes() > kMostBytesForOptional) {
        lose_optional(piece);
        continue;
      }
      waiting_optional_bytes_ += piece.batch->bytes();
    }
    waiting_.push_back(std::move(piece));
  }
}

void ChannelOutlet::pump() {
  while (!waiting_.empty() && !resting_) {
    const Piece piece = waiting_.front();
    switch (offer(piece)) {
      case PutStatus::kAccepted:
        pop();
        break;
      case PutStatus::kFull:
        wait_for_room();
        return;
      case PutStatus::kClosed:
        if (!refused_as_closed(piece)) {
          rest();
          return;
        }
        break;
    }
  }
  frame_->ledger.wake_if_ready();
}

PutStatus ChannelOutlet::offer(const Piece& piece) {
  const std::size_t bytes = piece.ticket != nullptr ? piece.batch->bytes() : 0;
  frame_->ledger.add_in_flight(bytes);
  PutDone done = [weak = weak_from_this(), piece](Result<> result) {
    if (const auto self = weak.lock()) {
      self->answer_arrived(piece, std::move(result));
    }
  };
  const PutStatus status = channel_->put(piece.batch, done);
  if (status != PutStatus::kAccepted) {
    frame_->ledger.end_in_flight(bytes);
  }
  return status;
}

// On any thread; goes on on the executor's.
void ChannelOutlet::answer_arrived(const Piece& piece, Result<> result) {
  if (frame_->executor->is_current()) {
    answered(piece, std::move(result));
    return;
  }
  frame_->executor->post([self = shared_from_this(), piece, result = std::move(result)]() mutable {
    self->answered(piece, std::move(result));
    self->frame_->ledger.wake_if_ready();
  });
}

void ChannelOutlet::answered(Piece piece, Result<> result) {
  if (piece.ticket != nullptr) {
    frame_->ledger.end_in_flight(piece.batch->bytes());
  }
  if (!result.ok()) {
    failed(std::move(piece), std::move(result).error());
    return;
  }
  failures_ = 0;
  if (piece.ticket != nullptr) {
    frame_->ledger.close_one(piece.ticket);
  }
}

// The first piece goes, where it may; false when it has to wait for the channel's next start.
bool ChannelOutlet::refused_as_closed(const Piece& piece) {
  if (!may_expire(piece)) {
    return false;
  }
  pop();
  if (piece.ticket == nullptr) {
    lose_optional(piece);
  } else {
    failed(piece, closed("the channel is closed"));
  }
  return true;
}

// A put came back with an error: the client is told, or it waits and is tried again.
void ChannelOutlet::failed(Piece piece, Error error) {
  frame_->write_fail.add();
  if (complaint_is_due()) {
    log_warning(frame_->component, "put of {} events failed: {}", piece.batch->size(),
                error.message());
  }
  if (piece.ticket == nullptr) {
    frame_->optional_lost.add(piece.batch->size());
    return;
  }
  const bool hopeless = error.fault() == Fault::kRejected || frame_->gave_up;
  if (hopeless || frame_->when_refused == WhenRefused::kAnswer) {
    frame_->ledger.refuse_one(piece.ticket, std::move(error));
    return;
  }
  put_back(std::move(piece));
  rest();
}

// Puts that are under way together fail together, the first one first.
void ChannelOutlet::put_back(Piece piece) {
  frame_->ledger.add_waiting();
  const auto later = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const Piece& other) { return other.number > piece.number; });
  waiting_.insert(later, std::move(piece));
}

void ChannelOutlet::rest() {
  if (resting_) {
    return;
  }
  resting_ = true;
  failures_ = std::min(failures_ + 1, kLongestRest);
  frame_->executor->post_after(std::chrono::seconds(failures_), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) {
      self->resting_ = false;
      self->pump();
    }
  });
}

void ChannelOutlet::wait_for_room() {
  arm_expiry();
  if (asked_for_room_) {
    return;
  }
  asked_for_room_ = true;
  channel_->when_room([weak = weak_from_this()] {
    if (const auto woken = weak.lock()) {
      woken->frame_->executor->post([self = woken] {
        self->asked_for_room_ = false;
        self->pump();
      });
    }
  });
}

// Where somebody can be told, or it was optional.
bool ChannelOutlet::may_expire(const Piece& piece) const {
  return piece.ticket == nullptr || frame_->when_refused == WhenRefused::kAnswer;
}

// However often the channel has room for some and is full again: one timer.
void ChannelOutlet::arm_expiry() {
  if (expiry_armed_ || waiting_.empty() || !may_expire(waiting_.front())) {
    return;
  }
  expiry_armed_ = true;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(waiting_.front().deadline -
                                                                 frame_->clock.steady());
  frame_->executor->post_after(left, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) {
      self->expire();
    }
  });
}

// Gives up what has waited for longer than the keep-alive, where it may.
void ChannelOutlet::expire() {
  pump();  // There may be room for little, where the channel wakes us for much.
  const SteadyTime now = frame_->clock.steady();
  while (!waiting_.empty() && waiting_.front().deadline <= now && may_expire(waiting_.front())) {
    const Piece piece = waiting_.front();
    pop();
    if (piece.ticket == nullptr) {
      lose_optional(piece);
    } else {
      failed(piece, transient("the channel is full, for longer than its keep-alive"));
    }
  }
  expiry_armed_ = false;
  arm_expiry();
  frame_->ledger.wake_if_ready();
}

void ChannelOutlet::pop() {
  const Piece& piece = waiting_.front();
  if (piece.ticket != nullptr) {
    frame_->ledger.end_waiting();
  } else {
    waiting_optional_bytes_ -= piece.batch->bytes();
  }
  waiting_.pop_front();
}

void ChannelOutlet::lose_optional(const Piece& piece) {
  frame_->optional_lost.add(piece.batch->size());
  if (complaint_is_due()) {
    log_warning(frame_->component,
                "an optional channel does not keep up: events for it are dropped");
  }
}

// A complaint a minute is enough.
bool ChannelOutlet::complaint_is_due() {
  const SteadyTime now = frame_->clock.steady();
  if (complained_ && now - *complained_ <= kComplainEvery) {
    return false;
  }
  complained_ = now;
  return true;
}

void ChannelOutlet::give_up() {
  while (!waiting_.empty()) {
    const Piece piece = waiting_.front();
    pop();
    if (piece.ticket == nullptr) {
      lose_optional(piece);
    } else {
      frame_->given_up.add(piece.batch->size());
      failed(piece, closed("the agent stops and the channel is full"));
    }
  }
}

}  // namespace millrace
