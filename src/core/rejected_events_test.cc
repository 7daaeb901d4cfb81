#include "core/rejected_events.h"

#include <gtest/gtest.h>

#include "core/fake_channel.h"
#include "core/testing.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Bodies = std::vector<std::string>;

// A dead letter that does as it is told, and what was asked of it.
struct Target {
  std::string start_fault;
  std::string write_fault;  // After `room` more letters.
  std::size_t room = 0;
  int starts = 0;
  int writes = 0;
  int idles = 0;
  Bodies written;
};

class ScriptedDeadLetter final : public DeadLetter {
 public:
  explicit ScriptedDeadLetter(Target& target) : target_(target) {}
  Result<> start() override {
    ++target_.starts;
    return outcome(target_.start_fault);
  }
  Posted write(const BatchPtr& letters) override {
    ++target_.writes;
    Posted posted{letters->size(), outcome(target_.write_fault)};
    if (!posted.outcome.ok()) {
      posted.events = std::min(target_.room, letters->size());
    }
    for (std::size_t i = 0; i < posted.events; ++i) {
      target_.written.emplace_back((*letters)[i].body());
    }
    return posted;
  }
  void idle() override { ++target_.idles; }

 private:
  static Result<> outcome(const std::string& fault) {
    return fault.empty() ? Result<>() : Result<>(transient(fault));
  }
  Target& target_;
};

class RejectedEventsTest : public testing::Test {
 protected:
  void make(OnRejected otherwise = OnRejected::kHold, bool with_target = true) {
    RejectedEvents::Options options{otherwise, {}, 1s};
    if (with_target) {
      options.route = {std::make_unique<ScriptedDeadLetter>(target),
                       "directory /dead",
                       {"a1.sinks.k1", "c1"},
                       &slabs.pool()};
    }
    rejected =
        std::make_unique<RejectedEvents>("sink k1", channel, metrics, clock, std::move(options));
    rejected->idle();
  }
  // A transaction whose events are all rejected; how many of them are held behind it.
  std::size_t reject(const Bodies& bodies) {
    PutDone done = [](const Result<>&) {};
    EXPECT_EQ(channel.put(slabs.batch_of_bodies(bodies), done), PutStatus::kAccepted);
    TakeTransaction taken(channel);
    EXPECT_NE(taken.take({1000, 1 << 20}, {}, {}), nullptr);
    Rejects rejects;
    rejects.start_lease(0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      rejects.add(i, "no such topic");
    }
    const std::vector<HeldEvent> held = rejected->set_aside(rejects, taken);
    taken.commit(held, {});
    return held.size();
  }
  std::string health() {
    const Result<> health = rejected->health();
    return health.ok() ? "" : health.error().message();
  }
  std::uint64_t metric(std::string_view name) { return metrics.counter(name).value(); }

  FakeClock clock;
  testing_kit::Slabs slabs;
  FakeChannel channel;
  MetricGroup metrics{"SINK", "k1"};
  Target target;
  std::unique_ptr<RejectedEvents> rejected;
};

TEST_F(RejectedEventsTest, AreWrittenToTheDeadLetterAndForgotten) {
  make();
  EXPECT_EQ(reject({"a", "b"}), 0u);
  EXPECT_EQ(target.written, (Bodies{"a", "b"}));
  EXPECT_EQ(channel.counts().acknowledged, 2u);
  EXPECT_EQ(metric("EventRejectedCount"), 2u);
  EXPECT_EQ(metric("DeadLetterCount"), 2u);
  EXPECT_EQ(health(), "");
}

TEST_F(RejectedEventsTest, AreHeldWhenThereIsNone) {
  make(OnRejected::kHold, false);
  EXPECT_EQ(reject({"a", "b"}), 2u);
  EXPECT_EQ(channel.counts().held, 2u);
  EXPECT_EQ(health(), "2 events are held: the sink rejected them, the last for: no such topic");
}

TEST_F(RejectedEventsTest, AreHeldWhileTheDeadLetterCannotBeWritten) {
  make();
  target.write_fault = "no space left";
  EXPECT_EQ(reject({"a"}), 1u);
  EXPECT_EQ(
      health(),
      "the dead letter, directory /dead, cannot be written: no space left; 1 events are held");
  EXPECT_EQ(metric("DeadLetterFailCount"), 1u);
  target.write_fault.clear();
  EXPECT_EQ(reject({"b"}), 1u) << "it rests";
  EXPECT_EQ(target.writes, 1);
  clock.advance(1s);
  EXPECT_EQ(reject({"c"}), 0u);
  EXPECT_EQ(target.written, Bodies{"c"});
  EXPECT_EQ(health(), "2 events are held: the sink rejected them, the last for: no such topic");
}

TEST_F(RejectedEventsTest, OnlyThoseThatWereNotWrittenAreHeld) {
  make();
  target.write_fault = "channel c2 is full";
  target.room = 2;
  EXPECT_EQ(reject({"a", "b", "c"}), 1u);
  EXPECT_EQ(target.written, (Bodies{"a", "b"}));
  EXPECT_EQ(metric("DeadLetterCount"), 2u);
  EXPECT_EQ(channel.counts().held, 1u);
}

TEST_F(RejectedEventsTest, AreDroppedAndCountedWhenToldSo) {
  make(OnRejected::kDrop);
  EXPECT_EQ(reject({"a"}), 0u);
  EXPECT_EQ(channel.counts().dropped, 0u) << "the dead letter took it";
  target.write_fault = "no space left";
  EXPECT_EQ(reject({"b", "c"}), 0u);
  EXPECT_EQ(channel.counts().dropped, 2u);
}

TEST_F(RejectedEventsTest, AFolderThatCannotBeUsedIsToldBeforeThereIsALetter) {
  target.start_fault = "permission denied";
  make();
  EXPECT_EQ(health(), "the dead letter, directory /dead, cannot be written: permission denied");
  EXPECT_EQ(reject({"a"}), 1u);
  EXPECT_EQ(target.writes, 0);
  EXPECT_EQ(target.starts, 1) << "it rests";
  target.start_fault.clear();
  clock.advance(1s);
  rejected->idle();
  EXPECT_EQ(reject({"b"}), 0u);
}

TEST_F(RejectedEventsTest, ADeadLetterThatStaysBrokenIsTriedLessOften) {
  make();
  target.write_fault = "no space left";
  for (int second = 0; second < 60; ++second) {
    reject({"a"});
    clock.advance(1s);
  }
  EXPECT_EQ(target.writes, 14);  // After 1, 2, 3, 4 s, then every 5.
}

TEST_F(RejectedEventsTest, AStormIsALineAMinute) {
  make();
  testing::internal::CaptureStderr();
  for (int second = 0; second < 150; ++second) {
    for (int i = 0; i < 10; ++i) {
      reject({"a"});
    }
    clock.advance(1s);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3) << log;
  EXPECT_NE(
      log.find("rejected events: 600 written to directory /dead; the last for: no such topic"),
      std::string::npos)
      << log;
}

TEST_F(RejectedEventsTest, FilesAreLookedAfterWhileNothingComes) {
  make();
  rejected->idle();
  rejected->idle();
  EXPECT_EQ(target.idles, 3);
  EXPECT_EQ(target.starts, 1);
}

}  // namespace
}  // namespace millrace
