// A sink that delivers exactly once: what becomes visible is what the channel's commit says.
#include <gtest/gtest.h>

#include <optional>

#include "core/fake_channel.h"
#include "core/sink_drain.h"
#include "core/testing.h"

namespace millrace {
namespace {

// What a destination holds; the intent is how many events are to be visible.
struct Destination {
  std::vector<std::string> written;  // Hidden ones too.
  std::size_t visible = 0;
  int fail_deliver = 0;
  int fail_publish = 0;
  bool is_due = false;
  std::vector<std::string> steps;
};

class HiddenSink final : public Sink, public ExactlyOnce {
 public:
  explicit HiddenSink(Destination& destination) : destination_(destination) {}

  ExactlyOnce* exactly_once() override { return this; }
  Result<> deliver(const EventBatch& batch, Rejects&) override {
    for (const EventRef& event : batch) {
      destination_.written.emplace_back(event.body());
    }
    if (destination_.fail_deliver > 0) {
      --destination_.fail_deliver;
      destination_.written.resize(prepared_);
      return transient("the disk is full");
    }
    return {};
  }
  Result<> flush() override {
    ADD_FAILURE() << "flush() is for sinks that deliver at least once";
    return {};
  }
  Result<> recover(std::string_view intent) override {
    destination_.steps.push_back("recover " + std::string(intent));
    destination_.visible = intent.empty() ? 0 : std::stoul(std::string(intent));
    destination_.written.resize(destination_.visible);
    prepared_ = destination_.visible;
    return {};
  }
  Result<std::string> prepare(bool last) override {
    destination_.steps.emplace_back(last ? "prepare the last" : "prepare");
    destination_.is_due = false;
    prepared_ = destination_.written.size();
    return std::to_string(prepared_);
  }
  Result<> publish() override {
    destination_.steps.emplace_back("publish");
    if (destination_.fail_publish > 0) {
      --destination_.fail_publish;
      return transient("the name service is away");
    }
    destination_.visible = prepared_;
    return {};
  }
  bool is_due() const override { return destination_.is_due; }
  void stop() override { destination_.steps.emplace_back("stop"); }
  std::size_t batch_size() const override { return 100; }

 private:
  Destination& destination_;
  std::size_t prepared_ = 0;
};

using Steps = std::vector<std::string>;

class ExactlyOnceDrainTest : public testing::Test {
 protected:
  void SetUp() override { begin(); }
  // As after a start of the process.
  void begin() {
    drain_.reset();
    destination.steps.clear();
    drain_.emplace("k1", channel, std::make_unique<HiddenSink>(destination), metrics, clock,
                   SinkDrain::Options{});
  }
  void put(const std::vector<std::string>& bodies) {
    PutDone done = [](const Result<>&) {};
    ASSERT_EQ(channel->put(slabs.batch_of_bodies(bodies), done), PutStatus::kAccepted);
  }
  Result<Drained> drain_once() { return drain_->drain_once({}, {}); }

  FakeClock clock;
  MetricsRegistry registry;
  MetricGroup& metrics = registry.group("SINK", "k1");
  testing_kit::Slabs slabs;
  std::shared_ptr<FakeChannel> channel = std::make_shared<FakeChannel>();
  Destination destination;
  std::optional<SinkDrain> drain_;
};

TEST_F(ExactlyOnceDrainTest, PublishesBehindTheCommit) {
  put({"a", "b"});
  ASSERT_TRUE(drain_once().ok());
  EXPECT_EQ(destination.steps, (Steps{"recover ", "prepare", "publish"}));
  EXPECT_EQ(destination.visible, 2U);
  EXPECT_EQ(channel->intent_of("k1"), "2");
  EXPECT_EQ(channel->counts().acknowledged, 2U);
}

TEST_F(ExactlyOnceDrainTest, ARolledBackTransactionComesAgainUnseen) {
  put({"a"});
  ASSERT_TRUE(drain_once().ok());
  put({"b"});
  destination.fail_deliver = 1;
  EXPECT_FALSE(drain_once().ok());
  EXPECT_EQ(destination.visible, 1U);
  ASSERT_TRUE(drain_once().ok());
  EXPECT_EQ(destination.written, (Steps{"a", "b"}));
  EXPECT_EQ(destination.visible, 2U);
}

// Goal: what is committed is published before anything else is delivered.
TEST_F(ExactlyOnceDrainTest, AFailedPublishIsRepeatedFirst) {
  put({"a"});
  destination.fail_publish = 2;
  EXPECT_FALSE(drain_once().ok());
  EXPECT_EQ(channel->counts().acknowledged, 1U);
  put({"b"});
  EXPECT_FALSE(drain_once().ok());
  EXPECT_EQ(channel->counts().acknowledged, 1U);
  ASSERT_TRUE(drain_once().ok());
  EXPECT_EQ(destination.steps,
            (Steps{"recover ", "prepare", "publish", "publish", "publish", "prepare", "publish"}));
  EXPECT_EQ(destination.visible, 2U);
}

// Goal: whichever way a commit went that a stop has left open, nothing is lost and nothing doubled.
TEST_F(ExactlyOnceDrainTest, AnOpenCommitIsSettledByTheChannel) {
  for (const bool is_committed : {true, false}) {
    put({"a"});
    channel->leave_open(is_committed);
    EXPECT_FALSE(drain_once().ok());
    channel->leave_open({});
    begin();
    ASSERT_TRUE(drain_once().ok());
  }
  EXPECT_EQ(destination.written, (Steps{"a", "a"}));
  EXPECT_EQ(destination.visible, 2U);
}

// Goal: what may not be durable is never published; the channel in memory knows no better.
TEST_F(ExactlyOnceDrainTest, NothingIsDoneBehindAnOpenCommit) {
  put({"a"});
  channel->leave_open(true);
  EXPECT_FALSE(drain_once().ok());
  channel->leave_open({});
  put({"b"});
  EXPECT_EQ(drain_once().error().fault(), Fault::kClosed);
  drain_->stop({});
  EXPECT_EQ(destination.steps, (Steps{"recover ", "prepare", "stop"}));
  EXPECT_EQ(destination.visible, 0U);
}

TEST_F(ExactlyOnceDrainTest, EndsWhatIsDueWithoutEvents) {
  ASSERT_TRUE(drain_once().ok());
  EXPECT_EQ(destination.steps, (Steps{"recover "}));
  destination.is_due = true;
  ASSERT_TRUE(drain_once().ok());
  EXPECT_EQ(destination.steps, (Steps{"recover ", "prepare", "publish"}));
}

TEST_F(ExactlyOnceDrainTest, EndsWhatIsOpenAtItsStop) {
  put({"a"});
  ASSERT_TRUE(drain_once().ok());
  drain_->stop({});
  EXPECT_EQ(destination.steps,
            (Steps{"recover ", "prepare", "publish", "prepare the last", "publish", "stop"}));
}

}  // namespace
}  // namespace millrace
