#include "processor/load_balance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LoadBalanceTest : public testing::Test {
 protected:
  using Order = std::vector<std::size_t>;

  LoadBalanceProcessor make(
      std::initializer_list<std::pair<std::string_view, std::string_view>> keys = {}) {
    PropertySection section(keys);
    section.set({"sinks", "k1 k2 k3", "", 0, "sinks"});
    const auto config = bind<LoadBalanceConfig>(section, diagnostics, common_group_keys());
    EXPECT_TRUE(config) << diagnostics.to_string();
    return {*config, SinkProcessorContext{{"k1", "k2", "k3"}}};
  }
  // A transaction, of which those of `broken` fail; who delivered it.
  std::size_t turn(LoadBalanceProcessor& processor, const std::set<std::size_t>& broken) {
    for (const std::size_t sink : processor.order(clock.steady())) {
      if (broken.count(sink) == 0) {
        processor.note(sink, Turn::kDelivered, clock.steady());
        return sink;
      }
      processor.note(sink, Turn::kFailed, clock.steady());
    }
    return 99;
  }
  std::vector<int> turns(LoadBalanceProcessor& processor, int count,
                         const std::set<std::size_t>& broken = {}) {
    std::vector<int> delivered(3);
    for (int i = 0; i < count; ++i) {
      ++delivered.at(turn(processor, broken));
    }
    return delivered;
  }

  FakeClock clock;
  Diagnostics diagnostics;
};

TEST_F(LoadBalanceTest, EachTransactionBeginsWithTheNextSink) {
  LoadBalanceProcessor processor = make();
  EXPECT_THAT(processor.order(clock.steady()), ElementsAre(0, 1, 2));
  EXPECT_THAT(processor.order(clock.steady()), ElementsAre(1, 2, 0));
  EXPECT_THAT(processor.order(clock.steady()), ElementsAre(2, 0, 1));
  EXPECT_THAT(processor.order(clock.steady()), ElementsAre(0, 1, 2));
  EXPECT_EQ(processor.plan(), "k1, k2, k3 in turn; one that fails is passed over that once");
}

// Flume: TestLoadBalancingSinkProcessor, round robin: equal thirds; a failed sink's share goes to
// the one behind it.
TEST_F(LoadBalanceTest, SharesAreEqualAndAFailedOnesShareGoesToTheNext) {
  LoadBalanceProcessor whole = make();
  EXPECT_THAT(turns(whole, 300), ElementsAre(100, 100, 100));
  LoadBalanceProcessor processor = make();
  EXPECT_THAT(turns(processor, 300, {1}), ElementsAre(100, 0, 200));
}

// Flume: the same test with back-off: the failing sink is skipped while it rests, and recovers.
TEST_F(LoadBalanceTest, WithBackOffAFailingSinkRests) {
  LoadBalanceProcessor processor = make({{"processor.backoff", "true"}});
  EXPECT_THAT(turns(processor, 300, {1}), ElementsAre(150, 0, 150));
  EXPECT_EQ(processor.standing(1, clock.steady()).failures, 1);
  EXPECT_FALSE(processor.standing(1, clock.steady()).is_active);
  clock.advance(2s);
  EXPECT_THAT(turns(processor, 300), ElementsAre(100, 100, 100));
}

// Flume: #testRoundRobinBackoffInitialFailure, …IncreasingBackoffs, …FailureRecovery.
TEST_F(LoadBalanceTest, GivesFlumesFiguresWithBackOff) {
  const auto sum_of = [](const std::vector<std::vector<int>>& parts) {
    std::vector<int> sum(3);
    for (const std::vector<int>& part : parts) {
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += part[i];
      }
    }
    return sum;
  };
  LoadBalanceProcessor fails_once = make({{"processor.backoff", "true"}});
  std::vector<std::vector<int>> parts{turns(fails_once, 3), turns(fails_once, 3, {1}),
                                      turns(fails_once, 294)};
  EXPECT_THAT(sum_of(parts), ElementsAre(150, 1, 149));

  LoadBalanceProcessor fails_twice = make({{"processor.backoff", "true"}});
  parts = {turns(fails_twice, 3, {1})};
  clock.advance(2100ms);
  parts.push_back(turns(fails_twice, 3, {1}));
  clock.advance(2100ms);
  parts.push_back(turns(fails_twice, 3));  // It works again, and rests still.
  clock.advance(2100ms);
  parts.push_back(turns(fails_twice, 291));
  EXPECT_THAT(sum_of(parts), ElementsAre(102, 97, 101));

  LoadBalanceProcessor recovers = make({{"processor.backoff", "true"}});
  parts = {turns(recovers, 3, {1})};
  clock.advance(2001ms);
  parts.push_back(turns(recovers, 297));
  EXPECT_THAT(sum_of(parts), ElementsAre(101, 99, 100));
}

TEST_F(LoadBalanceTest, RestsGrowUntilAnHourHasPassedWithout) {
  LoadBalanceProcessor processor =
      make({{"processor.backoff", "true"}, {"processor.selector.maxTimeOut", "10000"}});
  const auto rest = [&] {
    processor.note(0, Turn::kFailed, clock.steady());
    return processor.standing(0, clock.steady()).rests_until - clock.steady();
  };
  for (const auto expected : {2s, 4s, 8s, 10s, 10s}) {
    EXPECT_EQ(rest(), expected);
    clock.advance(expected);
    processor.note(0, Turn::kDelivered, clock.steady());
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rest(), 10s);
  }
  EXPECT_EQ(processor.standing(0, clock.steady()).failures, 16);
  clock.advance(1h + 11s);
  EXPECT_EQ(rest(), 2s);
}

TEST_F(LoadBalanceTest, AllOfThemMayRest) {
  for (const char* selector : {"round_robin", "random"}) {
    LoadBalanceProcessor processor =
        make({{"processor.backoff", "true"}, {"processor.selector", selector}});
    EXPECT_EQ(turn(processor, {0, 1, 2}), 99u);
    EXPECT_THAT(processor.order(clock.steady()), IsEmpty()) << selector;
    clock.advance(2s);
    EXPECT_EQ(processor.order(clock.steady()).size(), 3u);
  }
}

TEST_F(LoadBalanceTest, AtRandomEachOneGetsItsShare) {
  LoadBalanceProcessor processor = make({{"processor.selector", "RANDOM"}});
  for (const int share : turns(processor, 30'000)) {
    EXPECT_NEAR(share, 10'000, 1'000);
  }
  const std::vector<int> shares = turns(processor, 30'000, {2});
  EXPECT_NEAR(shares[0], 15'000, 1'500);
  EXPECT_EQ(shares[2], 0);
}

TEST_F(LoadBalanceTest, FaultsAreSaid) {
  EXPECT_FALSE(bind<LoadBalanceConfig>({{"sinks", "k1"}, {"processor.selector", "org.Mine"}},
                                       diagnostics, common_group_keys()));
  EXPECT_THAT(diagnostics.to_string(),
              testing::AllOf(HasSubstr("load_balance needs two sinks or more"),
                             HasSubstr("processor.selector = \"org.Mine\"")));
}

TEST_F(LoadBalanceTest, MaxTimeOutZeroIsTheDefaultAsInFlume) {
  LoadBalanceProcessor processor =
      make({{"processor.backoff", "true"}, {"processor.selector.maxTimeOut", "0"}});
  EXPECT_THAT(processor.plan(), HasSubstr("30 s at most"));
}

}  // namespace
}  // namespace millrace
