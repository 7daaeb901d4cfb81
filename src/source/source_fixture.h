// What tests of sources share: a source over a channel that the test empties.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "config/fields.h"
#include "core/channel_processor.h"
#include "core/component.h"
#include "core/memory_wait.h"
#include "core/source.h"
#include "core/testing.h"
#include "io/event_loop.h"

namespace millrace {

struct CollectedEvent {
  std::string body;
  std::map<std::string, std::string> headers;
};

// Holds what was put until it is collected. Threads: any.
class CollectingChannel final : public Channel {
 public:
  explicit CollectingChannel(std::size_t capacity = 1'000'000,
                             std::size_t transaction_capacity = 1000)
      : capacity_(capacity), transaction_capacity_(transaction_capacity) {}

  // Takes all that is inside, in order, and makes room.
  std::vector<BatchPtr> collect() {
    std::vector<std::function<void()>> wakes;
    std::vector<BatchPtr> batches;
    {
      const std::lock_guard lock(mutex_);
      wakes.swap(wakes_);
      batches.swap(batches_);
      size_ = 0;
    }
    for (const auto& wake : wakes) {
      wake();
    }
    return batches;
  }

  // From now on puts are answered only by answer(), the oldest first.
  void hold_answers() { holds_answers_ = true; }
  std::size_t unanswered() const {
    const std::lock_guard lock(mutex_);
    return answers_.size();
  }
  void answer(Result<> result) {
    PutDone done;
    {
      const std::lock_guard lock(mutex_);
      done = std::move(answers_.front());
      answers_.pop_front();
    }
    done(std::move(result));
  }

  Result<> start() override { return {}; }
  void stop() override {}
  PutStatus put(const BatchPtr& batch, PutDone& done) override {
    {
      const std::lock_guard lock(mutex_);
      if (size_ + batch->size() > capacity_) {
        return PutStatus::kFull;
      }
      size_ += batch->size();
      batches_.push_back(batch);
      if (holds_answers_) {
        answers_.push_back(std::exchange(done, nullptr));
        return PutStatus::kAccepted;
      }
    }
    std::exchange(done, nullptr)({});
    return PutStatus::kAccepted;
  }
  void when_room(std::function<void()> wake) override {
    {
      const std::lock_guard lock(mutex_);
      if (size_ > 0) {
        wakes_.push_back(std::move(wake));
        return;
      }
    }
    wake();
  }
  std::optional<Lease> take(const TakeLimit&, SteadyTime, std::stop_token) override {
    return std::nullopt;
  }
  void commit(std::span<const Lease>, std::span<const HeldEvent>, SteadyTime) override {}
  void roll_back(std::span<const Lease>) override {}
  void count_dropped(std::size_t) override {}
  std::size_t transaction_capacity() const override { return transaction_capacity_; }
  std::size_t capacity() const override { return capacity_; }
  ChannelCounts counts() const override { return {}; }
  std::chrono::milliseconds keep_alive() const override { return std::chrono::seconds(3); }
  bool durable() const override { return false; }
  std::string promise() const override { return "collected by a test"; }
  Result<> health() const override { return {}; }

 private:
  const std::size_t capacity_;
  const std::size_t transaction_capacity_;
  std::atomic<bool> holds_answers_{false};
  mutable std::mutex mutex_;  // Guards what follows.
  std::vector<BatchPtr> batches_;
  std::deque<PutDone> answers_;
  std::size_t size_ = 0;
  std::vector<std::function<void()>> wakes_;
};

class SourceFixture : public testing::Test {
 public:
  ~SourceFixture() override {
    if (source_) {
      source_->stop(clock.steady());
    }
    loop.stop();  // What was posted to it may refer to the members.
  }

 protected:
  using Keys = std::vector<std::pair<std::string_view, std::string_view>>;

  class OneChannel final : public Selector {
   public:
    Routing route(const BatchPtr& batch) override { return {{{0, batch, true}}, 0}; }
  };

  // Before start().
  void use_channel(std::shared_ptr<CollectingChannel> other) { channel = std::move(other); }
  void use_files(std::shared_ptr<FileSystem> files) { files_ = std::move(files); }
  void limit_memory(std::size_t bytes) { slabs_ = std::make_unique<testing_kit::Slabs>(bytes); }

  template <class C>
  std::unique_ptr<C> make(const Keys& keys) {
    if (!services_) {
      services_ = std::make_unique<Services>(
          Services{clock, files_ ? *files_ : real_file_system(), slabs_->pool(), registry, loop});
    }
    waits_.push_back(std::make_unique<MemoryWait>("source r1", wait_clock_, slabs_->budget()));
    channels_.push_back(std::make_unique<ChannelProcessor>(
        "r1", std::vector<std::shared_ptr<Channel>>{channel}, std::make_unique<OneChannel>(),
        std::vector<std::unique_ptr<Interceptor>>{},
        ChannelProcessor::Services{clock, metrics, slabs_->pool()}));
    Diagnostics diagnostics;
    auto config = bind_keys<C>(keys, diagnostics);
    EXPECT_TRUE(config.has_value()) << diagnostics.to_string();
    return std::make_unique<C>(
        std::move(*config),
        SourceContext{"r1", *services_, *channels_.back(), metrics, *waits_.back()});
  }
  // Stopped at the end of the test, unless the test has stopped it.
  template <class C>
  C& start(const Keys& keys) {
    auto made = make<C>(keys);
    C& source = *made;
    source_ = std::move(made);
    const Result<> result = source.start();
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
    return source;
  }
  template <class C>
  std::size_t faults(const Keys& keys) {
    Diagnostics diagnostics;
    static_cast<void>(bind_keys<C>(keys, diagnostics));
    return diagnostics.error_count();
  }

  // Moves what is in the channel to `events`, and the sizes of its puts to `batch_sizes`.
  void collect() {
    for (const BatchPtr& batch : channel->collect()) {
      batch_sizes.push_back(batch->size());
      for (const EventRef& event : *batch) {
        CollectedEvent& collected = events.emplace_back();
        collected.body = event.body();
        for (const auto& [name, value] : event.headers()) {
          collected.headers[std::string(name)] = value;
        }
      }
    }
  }
  // Whether so many events have come in time.
  bool collected(std::size_t count) {
    return testing_kit::eventually([&] {
      collect();
      return events.size() >= count;
    });
  }
  std::vector<std::string> bodies() const {
    std::vector<std::string> bodies;
    for (const CollectedEvent& event : events) {
      bodies.push_back(event.body);
    }
    return bodies;
  }
  // Whether the source is known to wait for memory, once it has waited for long. For such a wait
  // the test's own clock counts.
  bool waits_for_memory() {
    return testing_kit::eventually([&] {
      wait_clock_.advance(std::chrono::milliseconds(50));
      return !waits_.back()->health().ok();
    });
  }
  bool has_memory() const { return waits_.back()->health().ok(); }
  std::uint64_t metric(std::string_view name) { return metrics.counter(name).value(); }

  std::size_t memory_used() const { return slabs_->budget().used(); }

  std::shared_ptr<FileSystem> files_;  // Null: the kernel's.
  SystemClock clock;
  MetricsRegistry registry;
  MetricGroup& metrics = registry.group("SOURCE", "r1");
  // Outlives all that holds batches.
  std::unique_ptr<testing_kit::Slabs> slabs_ = std::make_unique<testing_kit::Slabs>();
  std::shared_ptr<CollectingChannel> channel = std::make_shared<CollectingChannel>();
  std::vector<CollectedEvent> events;
  std::vector<std::size_t> batch_sizes;

 private:
  template <class C>
  static std::optional<typename C::Config> bind_keys(const Keys& keys, Diagnostics& diagnostics) {
    std::vector<Property> entries;
    for (const auto& [key, value] : keys) {
      entries.push_back({std::string(key), std::string(value), {}, 0, std::string(key)});
    }
    return bind<typename C::Config>(PropertySection("", std::move(entries)), diagnostics,
                                    common_source_keys());
  }

 protected:
  EventLoop loop{"test"};

 private:
  std::unique_ptr<Services> services_;
  std::vector<std::unique_ptr<ChannelProcessor>> channels_;
  FakeClock wait_clock_;
  std::vector<std::unique_ptr<MemoryWait>> waits_;
  std::unique_ptr<Source> source_;
};

}  // namespace millrace
