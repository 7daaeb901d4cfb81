// Held events that memory does not keep: what it costs to read them back.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

class RecallTest : public FileChannelTest {
 protected:
  struct Reads {
    std::uint64_t calls = 0;
    std::uint64_t opened = 0;  // Segments.
  };

  // Puts `events` of a kilobyte, `per_put` of them in a put, has all of them held, and reads them
  // back in their order.
  Reads reads_to_recall(int events, int per_put) {
    EXPECT_TRUE(kit.files.create_directories("/data").ok());
    open({{"maxFileSize", "67108864"}, {"transactionCapacity", "100000"}}, 1 << 14);
    Bodies expected;
    for (int i = 0; i < events;) {
      Bodies bodies;
      for (int j = 0; j < per_put; ++j, ++i) {
        bodies.push_back(std::to_string(i) + std::string(1000, 'h'));
      }
      EXPECT_TRUE(put(kit.slabs.batch_of_bodies(bodies)).ok());
      expected.insert(expected.end(), bodies.begin(), bodies.end());
    }
    while (const std::optional<Lease> lease = take()) {
      std::vector<HeldEvent> held;
      for (std::uint32_t i = 0; i < lease->batch->size(); ++i) {
        held.push_back({0, i});
      }
      channel->commit({&*lease, 1}, held, kit.clock.steady() + std::chrono::seconds(10));
    }
    EXPECT_EQ(channel->counts().held, static_cast<std::uint64_t>(events));
    kit.clock.advance(std::chrono::seconds(11));
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> opened = 0;
    kit.files.on_operation([&](const FakeFileSystem::Call& call) {
      const bool is_segment = call.path.string().starts_with("/data/segment");
      calls += call.operation == Operation::kRead && is_segment ? 1 : 0;
      opened += call.operation == Operation::kOpen && is_segment ? 1 : 0;
    });
    EXPECT_EQ(drain(), expected);
    kit.files.on_operation({});
    expect_conserved();
    channel->stop();
    return {calls, opened};
  }
};

// Goal: twice as much to read back costs twice as much. Method: events of one segment, some
// thousands and four times as many; of small puts, whose records are gone through, and of one large
// put, which is more than comes back at once.
TEST_F(RecallTest, ASegmentIsReadOnceWhateverComesBackAtATime) {
  const Reads few = reads_to_recall(4000, 50);
  const Reads many = reads_to_recall(16'000, 50);
  EXPECT_LT(many.calls, 6 * few.calls);
}

TEST_F(RecallTest, ARecordIsReadOnceWhateverComesBackAtATime) {
  const Reads record = reads_to_recall(16'000, 16'000);
  EXPECT_LE(record.opened, 2U);
  EXPECT_LE(record.calls, 4U);
}

// Goal: where reading goes on is forgotten when earlier events are wanted. Method: two rounds in
// which all are held, over the same segment.
TEST_F(RecallTest, EarlierEventsAreFoundAgain) {
  open({{"maxFileSize", "67108864"}}, 1 << 14);
  Bodies expected;
  for (int i = 0; i < 3000; ++i) {
    expected.push_back(std::to_string(i) + std::string(100, 'h'));
  }
  for (int i = 0; i < 3000; i += 100) {
    ASSERT_TRUE(
        put(kit.slabs.batch_of_bodies({expected.begin() + i, expected.begin() + i + 100})).ok());
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<Lease> leases;
    std::vector<HeldEvent> held;
    while (std::optional<Lease> lease = take()) {
      for (std::uint32_t i = 0; i < lease->batch->size(); ++i) {
        held.push_back({static_cast<std::uint32_t>(leases.size()), i});
      }
      leases.push_back(*std::move(lease));
    }
    channel->commit(leases, held, kit.clock.steady() + std::chrono::seconds(10));
    EXPECT_EQ(channel->counts().held, 3000U);
    kit.clock.advance(std::chrono::seconds(11));
  }
  EXPECT_EQ(drain(), expected);
  expect_conserved();
}

}  // namespace
}  // namespace millrace
