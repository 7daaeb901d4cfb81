#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "source/taildir/taildir_fixture.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing_kit::eventually;

class TaildirLimitsTest : public TaildirFixture {};

// Flume's #testLargeNumberOfFiles.
TEST_F(TaildirLimitsTest, ReadsAThousandFiles) {
  std::vector<std::string> wanted;
  for (int i = 0; i < 1000; ++i) {
    wanted.push_back("data" + std::to_string(i));
    append(wanted.back() + ".log", wanted.back() + "\n");
  }
  tail();
  lines(1000);
  EXPECT_THAT(bodies(), testing::UnorderedElementsAreArray(wanted));
  EXPECT_TRUE(eventually([&] { return gauge("TailedFileCount") == 1000; }));
}

TEST_F(TaildirLimitsTest, WaitsWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(100, 100));
  for (int i = 0; i < 5000; ++i) {
    append("a.log", std::to_string(i) + "\n");
  }
  tail({{"batchSize", "100"}});
  const Strings all = lines(5000);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(all[static_cast<std::size_t>(i)], std::to_string(i));
  }
}

TEST_F(TaildirLimitsTest, WaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(SlabPool::kSlabBytes * 3);
  for (int i = 0; i < 20'000; ++i) {
    append("a.log", std::string(100, 'x') + "\n");
  }
  tail();
  EXPECT_TRUE(waits_for_memory());
  lines(20'000);
  EXPECT_TRUE(has_memory());
}

TEST_F(TaildirLimitsTest, StopsInTimeWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(10, 10));
  for (int i = 0; i < 1000; ++i) {
    append("a.log", "line\n");
  }
  TaildirSource& source = tail({{"batchSize", "10"}});
  ASSERT_TRUE(eventually([&] { return metric("EventReceivedCount") >= 20; }));
  const auto begin = clock.steady();
  source.stop(begin + milliseconds(200));
  EXPECT_LT(clock.steady() - begin, seconds(5));
  EXPECT_THAT(positions(), HasSubstr("\"pos\":50,"));
}

TEST_F(TaildirLimitsTest, RefusesBadKeys) {
  EXPECT_EQ(faults<TaildirSource>({}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1 g2"}, {"filegroups.g1", "/x/.*"}}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1"}, {"filegroups.g1", "/x/"}}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1"}, {"filegroups.g1", "/x/(a"}}), 1u);
  EXPECT_EQ(faults<TaildirSource>({{"filegroups", "g1"}, {"filegroups.g1", "/x/a"}}), 0u);
}

TEST(TaildirConfigTest, ReadsAsFlume) {
  TaildirConfig config;
  EXPECT_EQ(config.events_per_visit(), UINT64_MAX);
  config.max_batch_count = 3;
  EXPECT_EQ(config.events_per_visit(), 300u);
  config.batch_size = 0;
  EXPECT_EQ(config.events_per_put(), 100u);
  config.max_batch_count = -1;
  EXPECT_EQ(config.events_per_visit(), UINT64_MAX);
}

}  // namespace
}  // namespace millrace
