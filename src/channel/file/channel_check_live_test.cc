// A channel is checked while it is written to, taken from and recycled: no damage is seen where
// none is.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "channel/file/channel_check.h"
#include "channel/file/file_channel_fixture.h"
#include "io/temp_folder.h"

namespace millrace::file_channel {
namespace {

class LiveChannelSlow : public testing::Test {
 protected:
  LiveChannelSlow() {
    PropertySection section;
    const std::string dirs = folders.data_dirs[0].string() + "," + folders.data_dirs[1].string();
    for (const auto& [key, value] :
         Keys{{"dataDirs", dirs},
              {"checkpointDir", folders.checkpoint_dirs.front().string()},
              {"maxFileSize", "262144"},
              {"minimumRequiredSpace", "1048576"},
              {"checkpointInterval", "1000"}}) {
      section.set({.key = key, .value = value});
    }
    Diagnostics diagnostics;
    channel = std::make_unique<FileChannel>(
        *bind<FileChannelConfig>(section, diagnostics, common_channel_keys()),
        ChannelContext{"c1", services, kit.metrics.group("CHANNEL", "c1"), 1 << 26});
  }
  void put_all() {
    const BatchPtr batch = slabs.numbered(200, std::string(300, 'x'));
    while (!stop) {
      PutDone done = [](const Result<>&) {};
      if (channel->put(batch, done) != PutStatus::kAccepted) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  }
  // Keeps a few thousand events in the channel.
  void take_all() {
    while (!stop) {
      const auto now = std::chrono::steady_clock::now();
      if (channel->counts().in_channel < 5000) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else if (const auto lease = channel->take({1000, 1 << 20}, now, {})) {
        channel->commit({&*lease, 1}, {}, {});
        taken += lease->batch->size();
      }
    }
  }

  TempFolder temp;
  const ChannelFolders folders{{temp.path() / "check"}, {temp.path() / "a", temp.path() / "b"}};
  testing_kit::TestServices kit;
  testing_kit::Slabs slabs;
  SystemClock clock;
  Services services{clock, real_file_system(), kit.slabs.pool(), kit.metrics, kit.loop};
  std::unique_ptr<FileChannel> channel;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> taken{0};
};

TEST_F(LiveChannelSlow, NoFalseDamageIsSeen) {
  ASSERT_TRUE(channel->start().ok());
  {
    std::jthread putter([this] { put_all(); });
    std::jthread taker([this] { take_all(); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    int checks = 0;
    while (checks < 5 || std::chrono::steady_clock::now() < end) {
      Result<ChannelView> view = view_channel(real_file_system(), folders);
      EXPECT_TRUE(view.ok()) << view.error().message();
      if (!view.ok()) {
        break;
      }
      EXPECT_TRUE(view->is_live);
      Result<ChannelCheck> check =
          check_channel(real_file_system(), folders, *view, [](auto, auto) {});
      EXPECT_TRUE(check.ok()) << check.error().message();
      if (!check.ok()) {
        break;
      }
      EXPECT_TRUE(check->is_clean());
      for (const Finding& finding : check->tally.findings) {
        EXPECT_EQ(to_string(finding.kind), "being written") << finding.path << finding.bytes.from;
      }
      EXPECT_TRUE(check->missing.empty());
      ++checks;
    }
    stop = true;
  }
  EXPECT_GT(taken, 100'000U);  // Segments went round.
  channel->stop();
  const ChannelView view = view_channel(real_file_system(), folders).value();
  EXPECT_FALSE(view.is_live);
  EXPECT_EQ(view.log.events.live.count(), channel->counts().in_channel);
}

}  // namespace
}  // namespace millrace::file_channel
