// For tests of the commands about file channels: one over real files, and what a command prints.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "channel/file/file_channel.h"
#include "cli/cli.h"
#include "core/testing_services.h"
#include "io/temp_folder.h"

namespace millrace {

class ChannelCommandTest : public testing::Test {
 protected:
  using Arguments = std::vector<std::string>;

  explicit ChannelCommandTest(bool has_two_dirs = false)
      : data_dirs((temp / "data").string() +
                  (has_two_dirs ? "," + (temp / "more").string() : std::string())) {
    FileChannelConfig config;
    config.checkpoint_dir = (temp / "check").string();
    config.data_dirs = data_dirs;
    config.max_file_size = ByteCount{65'536};
    config.minimum_required_space = ByteCount{1 << 20};
    channel = std::make_unique<FileChannel>(
        config, ChannelContext{"c1", services, kit.metrics.group("CHANNEL", "c1"), 1 << 26});
    std::ofstream(temp / "a1.conf")
        << "a1.sources = r1\na1.channels = c1\na1.sinks = k1\na1.sources.r1.type = seq\n"
           "a1.sources.r1.channels = c1\na1.sinks.k1.type = null\na1.sinks.k1.channel = c1\n"
           "a1.channels.c1.type = file\na1.channels.c1.checkpointDir = "
        << (temp / "check").string() << "\na1.channels.c1.dataDirs = " << data_dirs << "\n";
  }

  void put(const std::vector<testing_kit::TestEvent>& events) {
    auto answer = std::make_shared<std::promise<bool>>();
    PutDone done = [answer](const Result<>& result) { answer->set_value(result.ok()); };
    ASSERT_EQ(channel->put(kit.slabs.batch_of(events), done), PutStatus::kAccepted);
    ASSERT_TRUE(answer->get_future().get());
  }
  // One of its puts, delivered.
  void take() {
    const auto lease = channel->take({1000, std::size_t{1} << 30}, {}, {});
    ASSERT_TRUE(lease);
    channel->commit({&*lease, 1}, {}, {});
  }
  // Ten events, "event 0" to "event 9", of which four are delivered; stopped.
  void fill() {
    ASSERT_TRUE(channel->start().ok());
    for (int i = 0; i < 10; ++i) {
      put({{"event " + std::to_string(i), {{"host", "h" + std::to_string(i % 2)}}}});
      kit.clock.advance(std::chrono::seconds(1));
    }
    for (int i = 0; i < 4; ++i) {
      take();
    }
    channel->stop();
  }
  // As `millrace` is run; what it prints goes to `out` and `err`.
  int run(Arguments arguments, bool by_folders = false) {
    const Arguments which =
        by_folders
            ? Arguments{"--checkpoint-dir", (temp / "check").string(), "--data-dirs", data_dirs}
            : Arguments{"--config", (temp / "a1.conf").string(), "-n", "a1"};
    arguments.insert(arguments.end(), which.begin(), which.end());
    return run_bare(arguments);
  }
  int run_bare(const Arguments& arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = run_program(arguments);
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return status;
  }
  bool prints(std::string_view text) const { return out.find(text) != std::string::npos; }

  TempFolder temp;
  const std::string data_dirs;
  testing_kit::TestServices kit;
  Services services{kit.clock, real_file_system(), kit.slabs.pool(), kit.metrics, kit.loop};
  std::unique_ptr<FileChannel> channel;
  std::string out;
  std::string err;
};

}  // namespace millrace
