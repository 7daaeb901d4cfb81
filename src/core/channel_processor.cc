#include "core/channel_processor.h"

#include <utility>

#include "core/channel_outlet.h"
#include "core/put_ledger.h"

namespace millrace {

// Interceptors and selector, in front of an outlet for each channel.
class ChannelProcessor::State {
 public:
  State(std::string source, std::vector<std::shared_ptr<Channel>> channels,
        std::unique_ptr<Selector> selector, std::vector<std::unique_ptr<Interceptor>> interceptors,
        Services services)
      : selector_(std::move(selector)),
        interceptors_(std::move(interceptors)),
        slabs_(services.slabs),
        frame_(std::make_shared<OutletFrame>(std::move(source), services.clock, services.metrics)),
        received_(services.metrics.counter("EventReceivedCount")),
        filtered_(services.metrics.counter("EventFilteredCount")),
        unrouted_(services.metrics.counter("EventUnroutedCount")) {
    for (std::shared_ptr<Channel>& channel : channels) {
      outlets_.push_back(std::make_shared<ChannelOutlet>(std::move(channel), frame_));
    }
  }

  void attach(Executor& executor, WhenRefused when_refused) {
    frame_->executor = &executor;
    frame_->when_refused = when_refused;
    frame_->gave_up = false;
  }
  void put(EventBatch::Builder& builder, PutDone done);
  bool ready() const { return frame_->ledger.ready(); }
  void when_ready(std::function<void()> wake);
  std::size_t unanswered() const { return frame_->ledger.unanswered(); }
  void give_up();

 private:
  BatchPtr finish(EventBatch::Builder& builder);
  BatchPtr compacted(const BatchPtr& part);

  const std::unique_ptr<Selector> selector_;
  const std::vector<std::unique_ptr<Interceptor>> interceptors_;
  SlabPool& slabs_;
  const std::shared_ptr<OutletFrame> frame_;
  std::vector<std::shared_ptr<ChannelOutlet>> outlets_;  // In the order of the source's channels.
  Counter& received_;
  Counter& filtered_;
  Counter& unrouted_;
};

void ChannelProcessor::State::put(EventBatch::Builder& builder, PutDone done) {
  const BatchPtr batch = finish(builder);
  if (batch == nullptr) {
    if (done) {
      done({});
    }
    return;
  }
  const std::shared_ptr<PutTicket> ticket = frame_->ledger.open(batch->size(), std::move(done));
  const Routing routing = selector_->route(batch);
  unrouted_.add(routing.unrouted);
  for (const Route& route : routing.routes) {
    const BatchPtr part = route.batch == batch ? batch : compacted(route.batch);
    outlets_[route.channel]->enqueue(part, route.required ? ticket : nullptr);
  }
  for (const Route& route : routing.routes) {
    outlets_[route.channel]->pump();
  }
  frame_->ledger.close_one(ticket);
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
    if (BatchPtr copy = part->compact(slabs_)) {
      return copy;
    }
  }
  return part;
}

void ChannelProcessor::State::when_ready(std::function<void()> wake) {
  frame_->ledger.when_ready(std::move(wake));
  if (ready()) {
    frame_->executor->post([frame = frame_] { frame->ledger.wake_if_ready(); });
  }
}

void ChannelProcessor::State::give_up() {
  frame_->gave_up = true;
  frame_->ledger.when_ready(nullptr);
  for (const std::shared_ptr<ChannelOutlet>& outlet : outlets_) {
    outlet->give_up();
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
