#include "cli/verify/sequence_checker.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace millrace {
namespace {

std::uint64_t seed() {
  const char* given = std::getenv("MILLRACE_SEED");
  const std::uint64_t value =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  ::testing::Test::RecordProperty("seed", std::to_string(value));
  std::printf("MILLRACE_SEED=%llu\n", static_cast<unsigned long long>(value));
  return value;
}

// The same answers from a set and a multiset.
class PlainChecker {
 public:
  void add(std::uint64_t number, unsigned copy) {
    dups_ += copies_.insert({number, copy}).second ? 0 : 1;
    numbers_.insert(number);
  }
  void compare(const Tally& tally, std::uint64_t first, std::uint64_t next) const {
    EXPECT_EQ(tally.total, numbers_.size());
    EXPECT_EQ(tally.dups, dups_);
    EXPECT_EQ(tally.retried, copies_.size() - numbers_.size());
    const auto inside = static_cast<std::uint64_t>(
        std::distance(numbers_.lower_bound(first), numbers_.lower_bound(next)));
    EXPECT_EQ(tally.lost, next - first - inside);
    EXPECT_EQ(tally.unknown, numbers_.size() - inside);
  }

 private:
  std::set<std::pair<std::uint64_t, unsigned>> copies_;
  std::set<std::uint64_t> numbers_;
  std::uint64_t dups_ = 0;
};

// What ten hammers sent, each through a flow that rolls its file every `file` numbers, in the order
// in which verify finds the files.
void feed_ten_rolled_flows(std::uint64_t numbers_each, std::uint64_t file) {
  std::vector<SequenceChecker> checkers(10);
  for (std::uint64_t begin = 0; begin < numbers_each; begin += file) {
    const std::uint64_t end = std::min(begin + file, numbers_each);
    for (SequenceChecker& checker : checkers) {
      for (std::uint64_t number = begin; number < end; ++number) {
        checker.add(number);
      }
    }
  }
  for (std::uint64_t number = 1000; number < 2000; ++number) {
    checkers[3].add(number);  // A transaction that came twice.
  }
  std::size_t memory = 0;
  for (SequenceChecker& checker : checkers) {
    memory += checker.memory_bytes();
    const Tally tally = checker.finish(Expected{0, numbers_each, {}});
    EXPECT_EQ(tally.total, numbers_each);
    EXPECT_EQ(tally.lost, 0u);
    EXPECT_EQ(tally.dups, &checker == &checkers[3] ? 1000u : 0u);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  EXPECT_LE(memory, std::size_t{256} << 20);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(usage.ru_maxrss, 256 << 10) << "KiB";
#endif
}

TEST(SequenceChecker, CountsWhatIsThereOnce) {
  SequenceChecker checker;
  for (std::uint64_t number = 0; number < 200'000; ++number) {
    checker.add(number);
  }
  const Tally tally = checker.finish(Expected{0, 200'000, {}});
  EXPECT_EQ(tally.total, 200'000u);
  EXPECT_EQ(tally.lost + tally.dups + tally.retried + tally.unknown, 0u);
}

TEST(SequenceChecker, NamesTheFirstLosses) {
  SequenceChecker checker;
  for (std::uint64_t number = 10; number < 100'000; ++number) {
    if (number != 17 && (number < 65'530 || number >= 65'540)) {
      checker.add(number);
    }
  }
  const Tally tally = checker.finish(Expected{10, 100'002, {}});
  EXPECT_EQ(tally.lost, 13u);
  EXPECT_EQ(tally.lost_examples,
            (std::vector<Interval>{{17, 17}, {65'530, 65'539}, {100'000, 100'001}}));
}

TEST(SequenceChecker, AllowsUnsettledNumbersToBeMissing) {
  SequenceChecker checker;
  checker.add(0);
  checker.add(4);
  const Tally tally = checker.finish(Expected{0, 8, {{2, 3}, {7, 7}}});
  EXPECT_EQ(tally.lost, 3u);  // 1, 5 and 6.
  EXPECT_EQ(tally.lost_examples, (std::vector<Interval>{{1, 1}, {5, 6}}));
}

TEST(SequenceChecker, TellsMarkedCopiesFromDoubles) {
  SequenceChecker checker;
  checker.add(1);
  checker.add(1, 1);  // Sent again: retried.
  checker.add(2);
  checker.add(2);     // Doubled by the agent.
  checker.add(3, 1);  // Its first copy never came: neither.
  checker.add(4, 1);
  checker.add(4, 2);  // Sent a third time: retried.
  checker.add(5, 1);
  checker.add(5, 1);  // A copy sent again, doubled.
  const Tally tally = checker.finish(Expected{1, 6, {}});
  EXPECT_EQ(tally.total, 5u);
  EXPECT_EQ(tally.lost, 0u);
  EXPECT_EQ(tally.dups, 2u);
  EXPECT_EQ(tally.retried, 2u);
}

TEST(SequenceChecker, TakesTheRangeFromWhatItReadWhenNothingElseIsKnown) {
  SequenceChecker checker;
  checker.add(7);
  checker.add(9);
  const Tally from_five = checker.finish(std::uint64_t{5});
  EXPECT_EQ(from_five.lost, 3u);  // 5, 6 and 8.
  SequenceChecker lower;
  lower.add(3);
  EXPECT_EQ(lower.finish(std::uint64_t{5}).lost, 0u);
  SequenceChecker empty;
  EXPECT_EQ(empty.finish(std::uint64_t{5}).total, 0u);
}

// Goal: exact counts for any order. Method: random runs, steps, repeats and marks over a range of a
// few blocks, held against plain sets.
TEST(SequenceChecker, AgreesWithPlainSetsInAnyOrder) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 40; ++round) {
    SequenceChecker checker;
    PlainChecker plain;
    const std::uint64_t range = 1 + random() % 200'000;
    const std::uint64_t longest = std::uint64_t{1} << random() % 14;
    for (int piece = 0; piece < 60; ++piece) {
      const std::uint64_t from = random() % range;
      const std::uint64_t length = 1 + random() % longest;
      const std::uint64_t step = random() % 4 == 0 ? 1 + random() % 3 : 1;
      const unsigned copy = random() % 4 == 0 ? random() % 3 : 0;
      for (std::uint64_t i = 0; i < length; ++i) {
        checker.add(from + i * step, copy);
        plain.add(from + i * step, copy);
      }
    }
    plain.compare(checker.finish(Expected{10, range, {}}), 10, std::max<std::uint64_t>(range, 10));
  }
}

TEST(SequenceChecker, ForgetsBitmapsOfFullBlocks) {
  SequenceChecker checker;
  constexpr std::uint64_t kNumbers = 4 << 16;
  for (std::uint64_t offset = 0; offset < 3; ++offset) {  // Worst order: every third number.
    for (std::uint64_t number = offset; number < kNumbers; number += 3) {
      checker.add(number);
    }
    EXPECT_LE(checker.memory_bytes(), 4 * 8192 + 4096u);
  }
  EXPECT_LE(checker.memory_bytes(), 2000u);
  EXPECT_EQ(checker.finish(Expected{0, kNumbers, {}}).lost, 0u);
}

TEST(SequenceChecker, TakesTenRolledFlows) {
  feed_ten_rolled_flows(2'000'000, 300'000);
}

// Goal: the soak of 2012 (4.9e9 events of ten hammers) is verified in 256 MiB, number by number.
TEST(SequenceCheckerSlow, TakesTheSoakOfFiveThousandMillion) {
  feed_ten_rolled_flows(500'000'000, 1'755'000);  // 300 s at 5,850 ev/s: as the sinks rolled.
}

}  // namespace
}  // namespace millrace
