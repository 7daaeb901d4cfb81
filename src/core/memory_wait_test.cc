#include "core/memory_wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/event_batch.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

class MemoryWaitTest : public testing::Test {
 protected:
  // A source that asks every 5 ms while all that there is belongs to the slab given back.
  SlabPtr refuse_for(std::chrono::milliseconds time) {
    SlabPtr taken = pool.acquire(2 * SlabPool::kSlabBytes);
    for (auto passed = 0ms; passed <= time; passed += 5ms) {
      EXPECT_TRUE(space.bodies.room(1).empty());
      clock.advance(5ms);
    }
    return taken;
  }

  FakeClock clock;
  ByteBudget budget{2 * SlabPool::kSlabBytes};
  SlabPool pool{budget};
  MemoryWait wait{"source r1", clock, budget};
  BatchSpace space{pool, &wait};
};

TEST_F(MemoryWaitTest, ShortPausesAreNoNews) {
  CaptureStderr();
  for (int i = 0; i < 10; ++i) {
    refuse_for(4s);
    EXPECT_TRUE(wait.health().ok());
    EXPECT_FALSE(BatchSpace(pool, &wait).bodies.room(1).empty());
  }
  EXPECT_EQ(GetCapturedStderr(), "");
}

TEST_F(MemoryWaitTest, ALongOneIsToldOnceAndItsEndToo) {
  CaptureStderr();
  SlabPtr taken = refuse_for(12s);
  ASSERT_FALSE(wait.health().ok());
  EXPECT_EQ(wait.health().error().message(),
            "waits for memory for 12 s: it wants 262144 bytes, and 524288 of the 524288 for events "
            "in flight are taken (-Xmx sets how many)");
  std::string log = GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("warning [source r1] waits for memory for 5 s: "));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);

  CaptureStderr();
  taken = {};
  EXPECT_FALSE(space.bodies.room(1).empty());
  EXPECT_TRUE(wait.health().ok());
  log = GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("info [source r1] goes on: it waited 12 s for memory"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
}

// A client that was kept waiting may go away: its source does not wait for ever then.
TEST_F(MemoryWaitTest, WhoAsksNoMoreDoesNotWait) {
  refuse_for(6s);
  EXPECT_FALSE(wait.health().ok());
  clock.advance(2s);
  EXPECT_TRUE(wait.health().ok());
  refuse_for(4s);
  EXPECT_TRUE(wait.health().ok());
}

}  // namespace
}  // namespace millrace
