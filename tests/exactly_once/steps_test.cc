// Goal: whenever the process ends, each event is published once. Method: the same short life ends
// before each of its operations on the disk, by a kill and by a power loss; the next one before one
// of its own, drawn; the last one goes to its end.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "../simulation/numbered_events.h"
#include "flow.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

enum class End { kKill, kPowerLoss };

class ExactlyOnceStepsTest : public testing::TestWithParam<End> {
 protected:
  // Starts, takes two transactions into a file, ends that by the clock, takes a third into the next
  // one, and stops. Ends before operation `cut_at` of its own; gives how many there were.
  std::uint64_t live(FakeFileSystem& files, std::uint64_t cut_at) {
    std::atomic<bool> is_cut = false;
    std::stop_source cut;
    const std::uint64_t before = files.operations();
    files.on_operation([&](const FakeFileSystem::Call& call) {
      if (call.number - before == cut_at) {
        files.cut_power();
        is_cut = true;
        cut.request_stop();
      }
    });
    {
      Flow flow(files, clock_, is_cut, cut.get_token());
      if (flow.start()) {
        flow.drain_all();
        for (int i = 0; i < 2; ++i) {
          flow.put(next_, 10, acknowledged_, offered_);
          next_ += 10;
          flow.drain_all();
        }
        clock_.advance(11s);
        (void)flow.drain();
        flow.put(next_, 10, acknowledged_, offered_);
        next_ += 10;
        flow.drain_all();
        flow.stop();
      }
    }
    files.on_operation({});
    return files.operations() - before;
  }

  void end(FakeFileSystem& files) {
    if (GetParam() == End::kKill) {
      files.end_process();
    } else {
      files.restore_power();
    }
    clock_.advance(1s);  // Names of files tell lives apart by the time.
  }

  void check(FakeFileSystem& files) {
    const std::map<std::uint64_t, std::size_t> seen = count_numbers(files, "/out", true);
    for (const std::uint64_t number : acknowledged_) {
      ASSERT_TRUE(seen.contains(number)) << number << " is lost";
    }
    for (const auto& [number, times] : seen) {
      ASSERT_EQ(times, 1U) << number << " was published again";
      ASSERT_TRUE(offered_.contains(number));
    }
  }

  FakeClock clock_;
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> acknowledged_;
  std::set<std::uint64_t> offered_;
};

TEST_P(ExactlyOnceStepsTest, EndsBeforeEachOperation) {
  constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint64_t operations = 0;
  {
    FakeFileSystem files(1);
    ASSERT_TRUE(files.create_directories("/out").ok());
    operations = live(files, kNever);
    check(files);
    ASSERT_EQ(acknowledged_.size(), 30U);
  }
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (std::uint64_t at = 0; at < operations; ++at) {
    acknowledged_.clear();
    offered_.clear();
    FakeFileSystem files(random());
    ASSERT_TRUE(files.create_directories("/out").ok());
    const std::uint64_t again_at = random() % operations;
    SCOPED_TRACE(testing::Message() << "ended before " << at << ", then before " << again_at);
    live(files, at);
    end(files);
    live(files, again_at);
    end(files);
    live(files, kNever);
    check(files);
    if (HasFatalFailure()) {
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, ExactlyOnceStepsTest, testing::Values(End::kKill, End::kPowerLoss),
                         [](const testing::TestParamInfo<End>& each) {
                           return each.param == End::kKill ? "Kill" : "PowerLoss";
                         });

}  // namespace
}  // namespace millrace
