#include "channel/file/checkpointer.h"

#include <gtest/gtest.h>

#include "channel/file/checkpoint_file.h"
#include "channel/file/file_channel_fixture.h"

namespace millrace {
namespace {

using CheckpointerTest = FileChannelTest;

// Goal: a start after a kill goes through a few segments at most, however much waits. Method: a log
// that grows and is not drained, with an interval that never ends.
TEST_F(CheckpointerTest, WritesOneWhenTheLogHasGrown) {
  open({{"checkpointInterval", "86400000"}});
  const std::string body(30'000, 'x');
  for (int i = 0; i < 20; ++i) {  // Two go into a segment.
    ASSERT_TRUE(put(kit.slabs.batch_of_bodies({body})).ok());
  }
  const auto known_order = [&] {
    const std::vector<std::filesystem::path> dirs{"/check"};
    auto found = file_channel::read_checkpoints(kit.files, "c1", dirs);
    return found.ok() && !found->empty() ? found->front().dirs.front().order : 0;
  };
  EXPECT_TRUE(testing_kit::eventually([&] { return known_order() >= 7; })) << known_order();
}

}  // namespace
}  // namespace millrace
