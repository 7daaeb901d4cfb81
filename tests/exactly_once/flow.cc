#include "flow.h"

#include <future>
#include <utility>

#include "../simulation/numbered_events.h"
#include "base/check.h"
#include "core/registry.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 10s;  // For answers of the channel.

}  // namespace

Flow::Flow(FakeFileSystem& files, FakeClock& clock, const std::atomic<bool>& is_cut,
           std::stop_token cut)
    : files_(files), clock_(clock), is_cut_(is_cut), cut_(std::move(cut)) {
  Diagnostics diagnostics;
  const PropertySection channel_keys{
      {"checkpointDir", "/checkpoint"}, {"dataDirs", "/data"}, {"minimumRequiredSpace", "1048576"}};
  const auto channel = ChannelRegistry::instance().find("file")->prepare(channel_keys, diagnostics,
                                                                         common_channel_keys());
  const PropertySection sink_keys{{"sink.directory", "/out"},
                                  {"sink.rollInterval", "10"},
                                  {"sink.batchSize", "10"},
                                  {"sink.delivery", "exactly-once"}};
  const auto sink = SinkRegistry::instance()
                        .find("file_roll")
                        ->prepare(sink_keys, diagnostics, common_sink_keys());
  CHECK(channel.has_value() && sink.has_value());
  channel_ = channel->make({"c1", services_, metrics_.group("CHANNEL", "c1"), 8 << 20});
  drain_.emplace("k1", channel_, sink->make({"k1", services_, metrics_.group("SINK", "k1"), true}),
                 metrics_.group("SINK", "k1"), clock_, SinkDrain::Options{});
}

Flow::~Flow() {
  drain_.reset();
  channel_->stop();
}

bool Flow::start() {
  return channel_->start().ok() && drain_->start().ok();
}

void Flow::put(std::uint64_t first, std::size_t count, std::set<std::uint64_t>& acknowledged,
               std::set<std::uint64_t>& offered) {
  EventBatch::Builder builder(space_);
  for (std::uint64_t n = first; n < first + count; ++n) {
    builder.add(builder.store_body(numbered_body(n, n % 50)));
    offered.insert(n);
  }
  const auto answer = std::make_shared<std::promise<bool>>();
  std::future<bool> answered = answer->get_future();
  PutDone done = [answer](const Result<>& result) { answer->set_value(result.ok()); };
  if (channel_->put(builder.seal(), done) != PutStatus::kAccepted) {
    return;
  }
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (answered.wait_for(1ms) != std::future_status::ready && !is_cut_ &&
         std::chrono::steady_clock::now() < until) {
  }
  if (answered.wait_for(0ms) == std::future_status::ready && answered.get()) {
    for (std::uint64_t n = first; n < first + count; ++n) {
      acknowledged.insert(n);
    }
  }
}

bool Flow::drain() {
  return drain_->drain_once({}, {}, cut_).ok();
}

void Flow::drain_all() {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (channel_->counts().in_channel > 0 && !is_cut_ &&
         std::chrono::steady_clock::now() < until) {
    (void)drain();
  }
}

void Flow::stop() {
  drain_->stop(cut_);
  channel_->stop();
}

}  // namespace millrace
