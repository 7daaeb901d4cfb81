// Makes a file channel with a backlog, through the channel's own code.
//
// usage: fill_channel CHECKPOINT_DIR DATA_DIR EVENTS EVENT_BYTES BATCH stop|kill
// Puts EVENTS numbered events, BATCH in each put, which is one record of the log. Then the channel
// stops in order, or the process kills itself: as soon as the last put was answered.
#include <signal.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "base/check.h"
#include "channel/file/file_channel.h"
#include "io/event_loop.h"

namespace {

using namespace millrace;

struct Plan {
  std::uint64_t events;
  std::size_t event_bytes;
  std::size_t batch;
};

FileChannelConfig config_of(const char* checkpoint_dir, const char* data_dir, const Plan& plan) {
  FileChannelConfig config;
  config.checkpoint_dir = checkpoint_dir;
  config.data_dirs = data_dir;
  // A full channel calls back when it is half empty again, and here nobody takes.
  config.capacity = static_cast<std::uint32_t>(4 * plan.events);
  config.transaction_capacity = static_cast<std::uint32_t>(plan.batch);
  return config;
}

// Puts, and knows how many were answered.
class Filler {
 public:
  Filler(Channel& channel, SlabPool& slabs, const Plan& plan)
      : channel_(channel), space_(slabs), plan_(plan) {}

  void fill() {
    while (made_ < plan_.events) {
      put(next_batch());
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return answered_ == puts_; });
  }

 private:
  BatchPtr next_batch() {
    EventBatch::Builder builder(space_);
    while (builder.size() < plan_.batch && made_ < plan_.events) {
      std::string body = "line " + std::to_string(made_++) + " ";
      body.resize(plan_.event_bytes, 'x');
      builder.add(builder.store_body(body));
    }
    return builder.seal();
  }

  void put(const BatchPtr& batch) {
    ++puts_;
    PutDone done = [this](const Result<>& result) {
      CHECK(result.ok());
      const std::lock_guard lock(mutex_);
      ++answered_;
      changed_.notify_one();
    };
    while (channel_.put(batch, done) != PutStatus::kAccepted) {
      wait_for_room();
    }
  }

  void wait_for_room() {
    bool has_room = false;
    channel_.when_room([&] {
      const std::lock_guard lock(mutex_);
      has_room = true;
      changed_.notify_one();
    });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_room; });
  }

  Channel& channel_;
  BatchSpace space_;
  const Plan plan_;
  std::uint64_t made_ = 0;
  std::uint64_t puts_ = 0;
  std::mutex mutex_;  // Guards answered_.
  std::condition_variable changed_;
  std::uint64_t answered_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view end = argc == 7 ? argv[6] : "";
  if (end != "stop" && end != "kill") {
    std::fputs("usage: fill_channel CHECKPOINT_DIR DATA_DIR EVENTS EVENT_BYTES BATCH stop|kill\n",
               stderr);
    return 2;
  }
  const Plan plan{std::strtoull(argv[3], nullptr, 10), std::strtoull(argv[4], nullptr, 10),
                  std::strtoull(argv[5], nullptr, 10)};
  SystemClock clock;
  ByteBudget budget(std::size_t{1} << 30);
  SlabPool slabs(budget);
  MetricsRegistry metrics;
  EventLoop loop("fill");
  Services services{clock, real_file_system(), slabs, metrics, loop};
  FileChannel channel(config_of(argv[1], argv[2], plan),
                      {"c", services, metrics.group("CHANNEL", "c"), std::size_t{32} << 20});
  if (const Result<> started = channel.start(); !started.ok()) {
    std::fprintf(stderr, "%s\n", started.error().message().c_str());
    return 1;
  }
  Filler(channel, slabs, plan).fill();
  if (end == "kill") {
    ::raise(SIGKILL);
  }
  channel.stop();
  return 0;
}
