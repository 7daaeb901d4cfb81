#include "channel/file/checkpoint.h"

#include <gtest/gtest.h>

#include "channel/file/checkpoint_file.h"
#include "channel/file/segment.h"
#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.channel = Id::random();
  checkpoint.next = 1000;
  checkpoint.dropped = 5;
  checkpoint.void_numbers = 2;
  checkpoint.live = {{10, 20}, {30, 31}};
  checkpoint.in_flight = {{990, 1000}};
  checkpoint.dirs = {{Id::random(), 7, 8192, {{1, 6, 99, {0, 500}, 65536}, {2, 7, 98, {}, 8192}}},
                     {Id::random(), 0, 4096, {}}};
  return checkpoint;
}

TEST(CheckpointTest, IsReadAsItWasWritten) {
  const Checkpoint written = sample();
  const std::string bytes = encode_checkpoint(written);
  const Result<Checkpoint> read = decode_checkpoint(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(encode_checkpoint(read.value()), bytes);
  EXPECT_EQ(read.value().live, written.live);
  EXPECT_EQ(read.value().dirs[0].segments[1].generation, 98U);
  EXPECT_EQ(read.value().dirs[1].directory, written.dirs[1].directory);
}

TEST(CheckpointTest, AnyCutOrFlippedByteIsSeen) {
  const std::string bytes = encode_checkpoint(sample());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(decode_checkpoint(bytes.substr(0, i)).ok());
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_FALSE(decode_checkpoint(flipped).ok());
  }
}

// Goal: of two the one whose log went further counts. A power loss takes numbers back, and a dir
// that was given up is not looked at.
TEST(CheckpointTest, TheOneWhoseLogWentFurtherIsNewer) {
  FakeFileSystem files;
  Checkpoint older = sample();
  Checkpoint newer = older;
  newer.next = 900;
  newer.dirs.front().order += 1;
  newer.dirs.front().offset = kFirstRecord;
  newer.dirs.back().directory = Id::random();
  older.dirs.back().order = 50;
  const std::vector<std::filesystem::path> dirs{"/one", "/two"};
  for (const auto& dir : dirs) {
    ASSERT_TRUE(files.create_directories(dir).ok());
  }
  ASSERT_TRUE(write_checkpoint(files, dirs[0], older).ok());
  ASSERT_TRUE(write_checkpoint(files, dirs[1], newer).ok());
  const auto found = find_checkpoints(files, dirs);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().front().dir, dirs[1]);
}

}  // namespace
}  // namespace millrace::file_channel
