// Power is cut at each step between a rejection and the commit behind its letter. Goal: every event
// that was acknowledged to its source is delivered or lies in the dead letter, at least once.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>

#include "channel/file/file_channel.h"
#include "cli/dead_letter/letters.h"
#include "core/sink_runner.h"
#include "core/testing_services.h"
#include "sink/letter_files.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

const std::string kReason = "an odd number";

// Rejects odd numbers. Delivers to a place of its own that never fails.
class OddSink final : public Sink {
 public:
  explicit OddSink(std::multiset<std::string>& delivered) : delivered_(delivered) {}
  Result<> deliver(const EventBatch& batch, Rejects& rejects) override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::string body(batch[i].body());
      if ((body.back() - '0') % 2 == 1) {
        rejects.add(i, kReason);
      } else {
        delivered_.insert(body);
      }
    }
    return {};
  }
  Result<> flush() override { return {}; }
  std::size_t batch_size() const override { return 4; }

 private:
  std::multiset<std::string>& delivered_;
};

class DeadLetterPowerTest : public testing::Test {
 protected:
  std::unique_ptr<FileChannel> open_channel() {
    FileChannelConfig config;
    Diagnostics diagnostics;
    config = *bind<FileChannelConfig>({{"dataDirs", "/data"},
                                       {"checkpointDir", "/check"},
                                       {"maxFileSize", "65536"},
                                       {"minimumRequiredSpace", "1048576"}},
                                      diagnostics, common_channel_keys());
    return std::make_unique<FileChannel>(
        config, ChannelContext{"c1", services, registry.group("CHANNEL", "c1"), 1 << 20});
  }
  SinkDrain::Options options() {
    RejectionConfig rejection;
    rejection.directory = "/dead";
    SinkDrain::Options made;
    made.dead_letter_rest = 2ms;
    made.dead_letter = {
        std::make_unique<LetterFiles>(rejection, DeadLetterContext{"a1", "k1", services}),
        "directory /dead",
        {"a1.sinks.k1", "c1"},
        &slabs.pool()};
    return made;
  }
  // Ten events, one after the other; those that the channel acknowledged.
  void put_ten(Channel& channel) {
    for (int i = 0; i < 10; ++i) {
      auto answer = std::make_shared<std::promise<bool>>();
      PutDone done = [answer](const Result<>& result) { answer->set_value(result.ok()); };
      const std::string body = std::to_string(next++);
      std::future<bool> committed = answer->get_future();
      if (channel.put(slabs.batch_of_bodies({body}), done) == PutStatus::kAccepted &&
          committed.get()) {
        acknowledged.insert(body);
      }
    }
  }
  // One life, in which power is cut at the operation `cut_at` behind its start; 0: never, and it
  // ends when the channel is empty. Whether it was cut.
  bool live(std::uint64_t cut_at) {
    const bool to_the_end = cut_at == 0;
    const std::shared_ptr<FileChannel> channel = open_channel();
    EXPECT_TRUE(channel->start().ok());
    std::atomic<bool> was_cut{false};
    const std::uint64_t last = files.operations() + cut_at;
    files.on_operation([&](const FakeFileSystem::Call& call) {
      if (!to_the_end && call.number >= last && !was_cut.exchange(true)) {
        files.cut_power();
      }
    });
    {
      const auto runner =
          runner_of(std::make_unique<SinkDrain>("k1", channel, std::make_unique<OddSink>(delivered),
                                                registry.group("SINK", "k1"), clock, options()),
                    clock, 2ms);
      runner->start();
      put_ten(*channel);
      const bool drained = !to_the_end || testing_kit::eventually([&] {
        const ChannelCounts counts = channel->counts();
        return counts.in_channel + counts.held == 0;
      });
      EXPECT_TRUE(drained);
      runner->stop(clock.steady() + 50ms);
    }
    channel->stop();
    files.on_operation({});
    files.crash();
    return was_cut;
  }
  std::multiset<std::string> letters() {
    std::multiset<std::string> bodies;
    std::vector<std::string> notes;
    for (const auto& path : letter_files_at(files, "/dead").value()) {
      EXPECT_TRUE(read_letters(
                      files, path,
                      [&](const Letter& letter) -> Result<bool> {
                        EXPECT_EQ(letter.reason, kReason);
                        bodies.emplace(letter.body);
                        return true;
                      },
                      notes)
                      .ok());
    }
    return bodies;
  }

  SystemClock clock;
  FakeFileSystem files{1, &clock};
  testing_kit::Slabs slabs;
  MetricsRegistry registry;
  EventLoop loop{"power"};
  Services services{clock, files, slabs.pool(), registry, loop};
  int next = 0;
  std::set<std::string> acknowledged;
  std::multiset<std::string> delivered;
};

TEST_F(DeadLetterPowerTest, NoCutLosesAnEvent) {
  files.let_unsynced_survive(false);
  std::uint64_t cuts = 0;
  while (live(cuts + 1)) {
    ++cuts;
    live(0);
  }
  live(0);
  EXPECT_GT(cuts, 30u);
  EXPECT_GT(acknowledged.size(), 30u);
  const std::multiset<std::string> dead = letters();
  for (const std::string& body : acknowledged) {
    const bool is_odd = (body.back() - '0') % 2 == 1;
    EXPECT_GE((is_odd ? dead : delivered).count(body), 1u) << body;
  }
  for (const std::string& body : dead) {
    EXPECT_EQ((body.back() - '0') % 2, 1) << body;
  }
}

}  // namespace
}  // namespace millrace
