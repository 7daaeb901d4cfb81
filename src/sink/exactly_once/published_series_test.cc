#include "sink/exactly_once/published_series.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <optional>

#include "core/component_choice.h"
#include "core/registry.h"
#include "core/testing_services.h"

namespace millrace {
namespace {

using Operation = FakeFileSystem::Operation;
using namespace std::chrono_literals;

class PublishedSeriesTest : public testing::Test {
 protected:
  PublishedSeriesTest() {
    EXPECT_TRUE(disk.create_directories("/out").ok());
    begin("");
  }
  // As after a start of the process, which numbers its files from 1 again.
  void begin(const std::string& intent) {
    series_.reset();
    number_ = 0;
    PublishedSeries::Plan plan{
        .component = "sink k1",
        .ledger = "/out/.k1.ledger",
        .roll_interval = 10s,
        .next_path = [this] { return "/out/f" + std::to_string(++number_); },
        .make_serializer =
            [this] {
              return ComponentChoice<SerializerRegistry>("TEXT", {}).make({test.services});
            }};
    series_.emplace(disk, clock, std::move(plan),
                    PublishedSeries::Counts{{counter("opened"), counter("closed"), counter("bad")},
                                            counter("published"),
                                            counter("lost")});
    ASSERT_TRUE(series_->recover(intent).ok());
  }
  Counter& counter(const std::string& name) { return metrics.counter(name); }
  Result<> append(const std::string& body) {
    const std::vector<std::string> bodies{body};
    return series_->append(*test.slabs.batch_of_bodies(bodies));
  }
  std::string prepare(bool last = false) { return series_->prepare(last).value(); }

  testing_kit::TestServices test;
  FakeClock& clock = test.clock;
  FakeFileSystem& disk = test.files;
  MetricGroup& metrics = test.metrics.group("SINK", "k1");
  int number_ = 0;
  std::optional<PublishedSeries> series_;
};

TEST_F(PublishedSeriesTest, IsSeenWhenItIsEnded) {
  ASSERT_TRUE(append("a").ok());
  prepare();
  ASSERT_TRUE(series_->publish().ok());
  EXPECT_FALSE(disk.exists("/out/f1"));
  EXPECT_FALSE(series_->is_due());
  clock.advance(10s);
  EXPECT_TRUE(series_->is_due());
  prepare();
  EXPECT_FALSE(disk.exists("/out/f1"));
  ASSERT_TRUE(series_->publish().ok());
  EXPECT_EQ(disk.text("/out/f1"), "a\n");
}

// Goal: a commit without events follows a published file, and none follows that one.
TEST_F(PublishedSeriesTest, NamesAPublishedFileNoLonger) {
  ASSERT_TRUE(append("a").ok());
  prepare(true);
  ASSERT_TRUE(series_->publish().ok());
  EXPECT_TRUE(series_->is_due());
  EXPECT_EQ(prepare(true), "");
  ASSERT_TRUE(series_->publish().ok());
  EXPECT_FALSE(series_->is_due());
}

TEST_F(PublishedSeriesTest, TakesBackWhatWasNotCommitted) {
  ASSERT_TRUE(append("a").ok());
  const std::string committed = prepare();
  ASSERT_TRUE(append("b").ok());
  prepare();
  begin(committed);
  EXPECT_EQ(disk.text("/out/f1"), "a\n");
  EXPECT_TRUE(series_->is_due());  // The intent names a file that is published by now.
  ASSERT_TRUE(append("b").ok());
  prepare();
  begin(committed);
  EXPECT_EQ(disk.text("/out/f1"), "a\n");
  EXPECT_FALSE(disk.exists("/out/.f2.part"));
  EXPECT_EQ(counter("lost").value(), 0U);
}

// Goal: what was never committed is not published under a name that comes again.
TEST_F(PublishedSeriesTest, GivesNoNameOfTheLastIntentAgain) {
  ASSERT_TRUE(append("a").ok());
  const std::string committed = prepare(true);
  ASSERT_TRUE(series_->publish().ok());
  begin(committed);
  ASSERT_TRUE(disk.remove("/out/f1").ok());  // By a reader.
  ASSERT_TRUE(append("b").ok());
  begin(committed);  // Before a commit.
  EXPECT_FALSE(disk.exists("/out/f1"));
  EXPECT_FALSE(disk.exists("/out/.f2.part"));
}

// Goal: each step of a transaction may fail, and the transaction comes again once.
TEST_F(PublishedSeriesTest, HoldsOnceWhatComesAgain) {
  for (const Operation operation : {Operation::kWrite, Operation::kSync, Operation::kTruncate}) {
    ASSERT_TRUE(append("a").ok());
    prepare();
    ASSERT_TRUE(append("b").ok());
    disk.fail_next(operation == Operation::kTruncate ? Operation::kSync : operation, EIO);
    if (operation == Operation::kTruncate) {
      disk.fail_next(operation, EIO);
    }
    EXPECT_FALSE(series_->prepare(false).ok());
    disk.heal();
    ASSERT_TRUE(append("b").ok());
    prepare(true);
    ASSERT_TRUE(series_->publish().ok());
    std::string all;
    for (const std::string& name : disk.list("/out").value()) {
      if (!name.starts_with('.')) {
        all += disk.text("/out/" + name);
        ASSERT_TRUE(disk.remove("/out/" + name).ok());
      }
    }
    EXPECT_TRUE(all == "a\nb\n") << all;
  }
}

TEST_F(PublishedSeriesTest, LeavesTheFilesOfOthersAlone) {
  disk.put("/out/.g1.part", "another agent's");
  ASSERT_TRUE(append("a").ok());
  begin("");
  EXPECT_FALSE(disk.exists("/out/.f1.part"));
  EXPECT_TRUE(disk.exists("/out/.g1.part"));
}

TEST_F(PublishedSeriesTest, IsOneAgents) {
  PublishedSeries second(
      disk, clock,
      {.component = "sink k1",
       .ledger = "/out/.k1.ledger",
       .next_path = [] { return std::filesystem::path("/out/x"); },
       .make_serializer = [] { return nullptr; }},
      {{counter("opened"), counter("closed"), counter("bad")}, counter("p"), counter("l")});
  EXPECT_FALSE(second.recover("").ok());
}

}  // namespace
}  // namespace millrace
