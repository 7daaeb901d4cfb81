// Reads what a real Flume wrote: tests/golden/flume-file-channel/README.md says how.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "channel/flume_log/event_reader.h"
#include "channel/flume_log/folders.h"
#include "channel/flume_log/replay.h"

namespace millrace::flume_log {
namespace {

const std::filesystem::path kFolder = MILLRACE_SOURCE_DIR "/tests/golden/flume-file-channel/killed";

std::vector<std::string> expected_bodies() {
  std::ifstream in(kFolder / "expected.txt");
  std::vector<std::string> bodies;
  for (std::string line; std::getline(in, line);) {
    bodies.push_back(line);
  }
  return bodies;
}

std::vector<std::string> bodies_of(const Folders& folders, const Contents& contents) {
  EventReader reader(real_file_system(), folders);
  std::vector<std::string> bodies;
  for (const Pointer& pointer : contents.events) {
    const EventReader::Read read = reader.read(pointer).value();
    const StoredEvent& event = *std::get<const StoredEvent*>(read);
    EXPECT_EQ(event.headers, (std::vector<Header>{{"origin", "flume"}}));
    bodies.emplace_back(event.body);
  }
  return bodies;
}

class FlumeGoldenTest : public testing::Test {
 protected:
  const Folders folders = open_folders(real_file_system(), kFolder / "checkpoint",
                                       {kFolder / "data1", kFolder / "data2"})
                              .value();
  const std::vector<std::string> expected = expected_bodies();
};

TEST_F(FlumeGoldenTest, TheCheckpointAndTheRecordsBehindItTellWhatIsInTheChannel) {
  const CheckpointReading reading =
      read_flume_checkpoint(real_file_system(), kFolder / "checkpoint").value();
  ASSERT_TRUE(reading.checkpoint) << reading.why_not;
  EXPECT_FALSE(reading.checkpoint->queue.empty());
  EXPECT_FALSE(reading.checkpoint->takes.empty());
  const Contents contents = replay(real_file_system(), folders, reading).value();
  EXPECT_EQ(bodies_of(folders, contents), expected);
  EXPECT_EQ(contents.found, expected.size());
  EXPECT_TRUE(contents.damages.empty());
}

TEST_F(FlumeGoldenTest, SoDoesTheWholeLog) {
  const Contents contents =
      replay(real_file_system(), folders, CheckpointReading{std::nullopt, "not wanted"}).value();
  EXPECT_EQ(bodies_of(folders, contents), expected);
  EXPECT_EQ(contents.taken, 0U);
}

}  // namespace
}  // namespace millrace::flume_log
