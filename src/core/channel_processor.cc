#include "core/channel_processor.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

// Bytes of puts that may await their commit before the source stops reading (design: pipelined
// puts).
constexpr std::size_t kMostBytesInFlight = std::size_t{4} << 20;
constexpr std::size_t kMostBytesForOptional = std::size_t{4} << 20;
constexpr auto kComplainEvery = std::chrono::minutes(1);

// One put() of the source until every required channel has answered.
struct Ticket {
  std::size_t open = 1;  // Pieces that have no answer yet, and one for put() itself.
  std::size_t events = 0;
  PutDone done;
  std::optional<Error> error;  // The first one.
};

// A part of a batch on its way into one channel.
struct Piece {
  BatchPtr batch;
  std::shared_ptr<Ticket> ticket;  // Null on the way into an optional channel.
  SteadyTime deadline;             // When it is given up, if it may be.
};

struct Outlet {
  std::shared_ptr<Channel> channel;
  std::deque<Piece> waiting;
  std::size_t waiting_optional_bytes = 0;
  bool asked_for_room = false;
  bool expiry_armed = false;  // A timer for the first piece that waits: one is enough.
  bool resting = false;       // After a failure, until a timer ends it.
  int failures = 0;
  SteadyTime complained{};
};

}  // namespace

// Channels and timers refer to it weakly: what they say after the processor's end goes nowhere.
class ChannelProcessor::State : public std::enable_shared_from_this<State> {
 public:
  State(std::string source, std::vector<std::shared_ptr<Channel>> channels,
        std::unique_ptr<Selector> selector, std::vector<std::unique_ptr<Interceptor>> interceptors,
        Services services)
      : source_("source " + source),
        selector_(std::move(selector)),
        interceptors_(std::move(interceptors)),
        services_(services),
        received_(services.metrics.counter("EventReceivedCount")),
        accepted_(services.metrics.counter("EventAcceptedCount")),
        write_fail_(services.metrics.counter("ChannelWriteFail")),
        filtered_(services.metrics.counter("EventFilteredCount")),
        unrouted_(services.metrics.counter("EventUnroutedCount")),
        optional_lost_(services.metrics.counter("OptionalChannelDropCount")),
        given_up_(services.metrics.counter("EventGivenUpCount")) {
    for (std::shared_ptr<Channel>& channel : channels) {
      outlets_.push_back({.channel = std::move(channel)});
    }
  }

  void attach(Executor& executor, WhenRefused when_refused) {
    executor_ = &executor;
    when_refused_ = when_refused;
    gave_up_ = false;
  }

  void put(EventBatch::Builder& builder, PutDone done);
  bool ready() const { return waiting_required_ == 0 && in_flight_bytes_ < kMostBytesInFlight; }
  void when_ready(std::function<void()> wake) {
    wake_ = std::move(wake);
    if (ready()) {
      executor_->post([self = shared_from_this()] { self->wake_if_ready(); });
    }
  }
  std::size_t unanswered() const { return unanswered_; }
  void give_up();

 private:
  BatchPtr finish(EventBatch::Builder& builder);
  BatchPtr compacted(const BatchPtr& part);
  void enqueue(const Route& route, bool is_whole, const std::shared_ptr<Ticket>& ticket);
  void pump(std::size_t outlet);
  PutStatus offer(std::size_t outlet, const Piece& piece);
  void answer_arrived(std::size_t outlet, const Piece& piece, Result<> result);
  void answered(std::size_t outlet, Piece piece, Result<> result);
  void failed(std::size_t outlet, Piece piece, Error error);
  void wait_for_room(std::size_t outlet);
  bool may_expire(const Piece& piece) const;
  void arm_expiry(std::size_t outlet);
  void rest(std::size_t outlet);
  void expire(std::size_t outlet);
  void pop(Outlet& outlet);
  void lose_optional(Outlet& outlet, const Piece& piece);
  void close_one(const std::shared_ptr<Ticket>& ticket);
  void wake_if_ready();

  const std::string source_;
  std::unique_ptr<Selector> selector_;
  std::vector<std::unique_ptr<Interceptor>> interceptors_;
  Services services_;
  Executor* executor_ = nullptr;
  WhenRefused when_refused_ = WhenRefused::kWait;
  std::vector<Outlet> outlets_;
  std::size_t waiting_required_ = 0;  // Pieces that no channel has accepted yet.
  std::size_t in_flight_bytes_ = 0;   // Of pieces accepted and not committed.
  std::size_t unanswered_ = 0;
  bool gave_up_ = false;
  std::function<void()> wake_;
  Counter& received_;
  Counter& accepted_;
  Counter& write_fail_;
  Counter& filtered_;
  Counter& unrouted_;
  Counter& optional_lost_;
  Counter& given_up_;
};

void ChannelProcessor::State::put(EventBatch::Builder& builder, PutDone done) {
  const BatchPtr batch = finish(builder);
  if (batch == nullptr) {
    if (done) {
      done({});
    }
    return;
  }
  auto ticket = std::make_shared<Ticket>();
  ticket->events = batch->size();
  ticket->done = std::move(done);
  ++unanswered_;
  Routing routing = selector_->route(batch);
  unrouted_.add(routing.unrouted);
  for (const Route& route : routing.routes) {
    enqueue(route, route.batch == batch, ticket);
  }
  for (const Route& route : routing.routes) {
    pump(route.channel);
  }
  close_one(ticket);
}

// The sealed batch, or nothing when the interceptors dropped it all.
BatchPtr ChannelProcessor::State::finish(EventBatch::Builder& builder) {
  const std::size_t offered = builder.size();
  received_.add(offered);
  for (const std::unique_ptr<Interceptor>& interceptor : interceptors_) {
    interceptor->apply(builder);
  }
  filtered_.add(offered - builder.size());
  if (builder.empty()) {
    builder.clear();
    return nullptr;
  }
  return builder.seal();
}

// A part that uses little of the slabs it keeps alive is copied out: its neighbours went elsewhere
// and may be gone long before it.
BatchPtr ChannelProcessor::State::compacted(const BatchPtr& part) {
  if (part->bytes() * 4 < part->pinned_bytes()) {
    if (BatchPtr copy = part->compact(services_.slabs)) {
      return copy;
    }
  }
  return part;
}

void ChannelProcessor::State::enqueue(const Route& route, bool is_whole,
                                      const std::shared_ptr<Ticket>& ticket) {
  Outlet& outlet = outlets_[route.channel];
  const BatchPtr batch = is_whole ? route.batch : compacted(route.batch);
  const std::size_t most = outlet.channel->transaction_capacity();
  const SteadyTime deadline = services_.clock.steady() + outlet.channel->keep_alive();
  for (std::size_t from = 0; from < batch->size(); from += most) {
    const std::size_t to = std::min(from + most, batch->size());
    const bool whole = from == 0 && to == batch->size();
    Piece piece{whole ? batch : batch->slice(from, to), {}, deadline};
    if (route.required) {
      piece.ticket = ticket;
      ++ticket->open;
      ++waiting_required_;
    } else {
      if (outlet.waiting_optional_bytes + piece.batch->bytes() > kMostBytesForOptional) {
        lose_optional(outlet, piece);
        continue;
      }
      outlet.waiting_optional_bytes += piece.batch->bytes();
    }
    outlet.waiting.push_back(std::move(piece));
  }
}

// Offers what waits until the channel takes no more.
void ChannelProcessor::State::pump(std::size_t index) {
  Outlet& outlet = outlets_[index];
  while (!outlet.waiting.empty() && !outlet.resting) {
    const Piece piece = outlet.waiting.front();
    switch (offer(index, piece)) {
      case PutStatus::kAccepted:
        pop(outlet);
        break;
      case PutStatus::kFull:
        wait_for_room(index);
        return;
      case PutStatus::kClosed:
        if (piece.ticket == nullptr) {
          pop(outlet);
          lose_optional(outlet, piece);
          break;
        }
        if (when_refused_ == WhenRefused::kAnswer) {
          pop(outlet);
          failed(index, piece, closed("the channel is closed"));
          break;
        }
        rest(index);
        return;
    }
  }
  wake_if_ready();
}

PutStatus ChannelProcessor::State::offer(std::size_t index, const Piece& piece) {
  const std::size_t bytes = piece.ticket != nullptr ? piece.batch->bytes() : 0;
  in_flight_bytes_ += bytes;
  PutDone done = [weak = weak_from_this(), index, piece](Result<> result) {
    if (const std::shared_ptr<State> self = weak.lock()) {
      self->answer_arrived(index, piece, std::move(result));
    }
  };
  const PutStatus status = outlets_[index].channel->put(piece.batch, done);
  if (status != PutStatus::kAccepted) {
    in_flight_bytes_ -= bytes;
  }
  return status;
}

// On any thread; goes on on the executor's.
void ChannelProcessor::State::answer_arrived(std::size_t index, const Piece& piece,
                                             Result<> result) {
  if (executor_->is_current()) {
    answered(index, piece, std::move(result));
    return;
  }
  executor_->post([self = shared_from_this(), index, piece, result = std::move(result)]() mutable {
    self->answered(index, piece, std::move(result));
    self->wake_if_ready();
  });
}

void ChannelProcessor::State::pop(Outlet& outlet) {
  const Piece& piece = outlet.waiting.front();
  if (piece.ticket != nullptr) {
    --waiting_required_;
  } else {
    outlet.waiting_optional_bytes -= piece.batch->bytes();
  }
  outlet.waiting.pop_front();
}

void ChannelProcessor::State::answered(std::size_t index, Piece piece, Result<> result) {
  if (piece.ticket != nullptr) {
    in_flight_bytes_ -= piece.batch->bytes();
  }
  if (!result.ok()) {
    failed(index, std::move(piece), std::move(result).error());
    return;
  }
  outlets_[index].failures = 0;
  if (piece.ticket != nullptr) {
    close_one(piece.ticket);
  }
}

// A put came back with an error: the client is told, or it waits and is tried again.
void ChannelProcessor::State::failed(std::size_t index, Piece piece, Error error) {
  Outlet& outlet = outlets_[index];
  write_fail_.add();
  if (services_.clock.steady() - outlet.complained > kComplainEvery) {
    outlet.complained = services_.clock.steady();
    log_warning(source_, "put of {} events failed: {}", piece.batch->size(), error.message());
  }
  if (piece.ticket == nullptr) {
    optional_lost_.add(piece.batch->size());
    return;
  }
  const bool hopeless = error.fault() == Fault::kRejected || gave_up_;
  if (when_refused_ == WhenRefused::kAnswer || hopeless) {
    if (!piece.ticket->error) {
      piece.ticket->error = std::move(error);
    }
    close_one(piece.ticket);
    return;
  }
  ++waiting_required_;
  outlet.waiting.push_front(std::move(piece));
  rest(index);
}

void ChannelProcessor::State::rest(std::size_t index) {
  Outlet& outlet = outlets_[index];
  if (outlet.resting) {
    return;
  }
  outlet.resting = true;
  outlet.failures = std::min(outlet.failures + 1, 5);
  executor_->post_after(std::chrono::seconds(outlet.failures), [self = shared_from_this(), index] {
    self->outlets_[index].resting = false;
    self->pump(index);
  });
}

void ChannelProcessor::State::wait_for_room(std::size_t index) {
  arm_expiry(index);
  Outlet& outlet = outlets_[index];
  if (outlet.asked_for_room) {
    return;
  }
  outlet.asked_for_room = true;
  outlet.channel->when_room([weak = weak_from_this(), index] {
    if (const std::shared_ptr<State> self = weak.lock()) {
      self->executor_->post([self, index] {
        self->outlets_[index].asked_for_room = false;
        self->pump(index);
      });
    }
  });
}

// Where somebody can be told, or it was optional.
bool ChannelProcessor::State::may_expire(const Piece& piece) const {
  return piece.ticket == nullptr || when_refused_ == WhenRefused::kAnswer;
}

// However often the channel has room for some and is full again: one timer.
void ChannelProcessor::State::arm_expiry(std::size_t index) {
  Outlet& outlet = outlets_[index];
  if (outlet.expiry_armed || outlet.waiting.empty() || !may_expire(outlet.waiting.front())) {
    return;
  }
  outlet.expiry_armed = true;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(outlet.waiting.front().deadline -
                                                                 services_.clock.steady());
  executor_->post_after(left, [self = shared_from_this(), index] { self->expire(index); });
}

// Gives up what has waited for longer than the keep-alive, where it may.
void ChannelProcessor::State::expire(std::size_t index) {
  Outlet& outlet = outlets_[index];
  pump(index);  // There may be room for little, where the channel wakes us for much.
  const SteadyTime now = services_.clock.steady();
  while (!outlet.waiting.empty() && outlet.waiting.front().deadline <= now &&
         may_expire(outlet.waiting.front())) {
    const Piece piece = outlet.waiting.front();
    pop(outlet);
    if (piece.ticket == nullptr) {
      lose_optional(outlet, piece);
    } else {
      failed(index, piece, transient("the channel is full, for longer than its keep-alive"));
    }
  }
  outlet.expiry_armed = false;
  arm_expiry(index);
  wake_if_ready();
}

void ChannelProcessor::State::lose_optional(Outlet& outlet, const Piece& piece) {
  optional_lost_.add(piece.batch->size());
  if (services_.clock.steady() - outlet.complained > kComplainEvery) {
    outlet.complained = services_.clock.steady();
    log_warning(source_, "an optional channel does not keep up: events for it are dropped");
  }
}

void ChannelProcessor::State::close_one(const std::shared_ptr<Ticket>& ticket) {
  if (--ticket->open > 0) {
    return;
  }
  --unanswered_;
  if (!ticket->error) {
    accepted_.add(ticket->events);
  }
  if (ticket->done) {
    const PutDone done = std::move(ticket->done);
    done(ticket->error ? Result<>(*ticket->error) : Result<>());
  }
}

void ChannelProcessor::State::wake_if_ready() {
  if (wake_ && ready()) {
    const std::function<void()> wake = std::exchange(wake_, nullptr);
    wake();
  }
}

void ChannelProcessor::State::give_up() {
  gave_up_ = true;
  wake_ = nullptr;
  for (std::size_t index = 0; index < outlets_.size(); ++index) {
    Outlet& outlet = outlets_[index];
    while (!outlet.waiting.empty()) {
      const Piece piece = outlet.waiting.front();
      pop(outlet);
      given_up_.add(piece.batch->size());
      if (piece.ticket != nullptr) {
        failed(index, piece, closed("the agent stops and the channel is full"));
      }
    }
  }
}

ChannelProcessor::ChannelProcessor(std::string source,
                                   std::vector<std::shared_ptr<Channel>> channels,
                                   std::unique_ptr<Selector> selector,
                                   std::vector<std::unique_ptr<Interceptor>> interceptors,
                                   Services services)
    : state_(std::make_shared<State>(std::move(source), std::move(channels), std::move(selector),
                                     std::move(interceptors), services)) {}

ChannelProcessor::~ChannelProcessor() = default;

void ChannelProcessor::attach(Executor& executor, WhenRefused when_refused) {
  state_->attach(executor, when_refused);
}
void ChannelProcessor::put(EventBatch::Builder& builder, PutDone done) {
  state_->put(builder, std::move(done));
}
bool ChannelProcessor::ready() const {
  return state_->ready();
}
void ChannelProcessor::when_ready(std::function<void()> wake) {
  state_->when_ready(std::move(wake));
}
std::size_t ChannelProcessor::unanswered() const {
  return state_->unanswered();
}
void ChannelProcessor::give_up() {
  state_->give_up();
}

}  // namespace millrace
