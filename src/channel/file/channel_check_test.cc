// What a check of a channel finds: damage, to the event and the byte, and none where none is.
#include "channel/file/channel_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "channel/file/file_channel_fixture.h"

namespace millrace::file_channel {
namespace {

const ChannelFolders kFolders{{"/check"}, {"/data"}};
const std::string kFirst = "/data/segment-000001.wal";
const std::string kCheckpointFile = "/check/channel.checkpoint";

class ChannelCheckTest : public FileChannelTest {
 protected:
  ChannelCheck check() {
    Result<ChannelView> view = view_channel(kit.files, kFolders);
    EXPECT_TRUE(view.ok()) << view.error().message();
    Result<ChannelCheck> check = check_channel(kit.files, kFolders, *view, [](auto, auto) {});
    EXPECT_TRUE(check.ok()) << check.error().message();
    return std::move(check).value();
  }
  // Three puts of three events, each in a group of its own: at 4096, 8192 and 12288.
  void fill(const Keys& more = {}) {
    open(more);
    for (const char* prefix : {"a", "b", "c"}) {
      ASSERT_TRUE(put(kit.slabs.numbered(3, prefix)).ok());
    }
    channel->stop();
    bytes = kit.files.text(kFirst);
  }
  void fill_without_checkpoint() {
    fill({{"checkpointOnClose", "false"}});
    ASSERT_FALSE(kit.files.exists(kCheckpointFile));
  }
  void damage_event(const std::string& body) { bytes[bytes.find(body) + 1] ^= 4; }
  void write() { kit.files.put(kFirst, bytes); }

  std::string bytes;  // Of the first segment.
};

std::vector<EventRange> numbers(EventNumber first, EventNumber end) {
  return {{first, end}};
}

TEST_F(ChannelCheckTest, AWholeChannelIsClean) {
  fill();
  const ChannelCheck found = check();
  EXPECT_TRUE(found.is_clean());
  EXPECT_EQ(found.tally.puts, 3U);
  EXPECT_EQ(found.tally.whole.count(), 9U);
  EXPECT_TRUE(found.tally.findings.empty());
  open();
  EXPECT_TRUE(check().is_clean());
  EXPECT_EQ(drain().size(), 9U);
  EXPECT_TRUE(check().is_clean());
  channel->stop();
  EXPECT_TRUE(check().is_clean());
}

TEST_F(ChannelCheckTest, ADamagedEventIsNamed) {
  fill();
  damage_event("b1");
  write();
  const ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  EXPECT_EQ(found.damaged.all(), numbers(4, 5));
  EXPECT_TRUE(found.missing.empty());
  ASSERT_EQ(found.tally.findings.size(), 1U);
  const Finding& finding = found.tally.findings[0];
  EXPECT_EQ(finding.kind, Finding::Kind::kEvents);
  EXPECT_EQ(finding.path, kFirst);
  EXPECT_EQ(finding.bytes.from, 8192U);
  EXPECT_GT(finding.bytes.to, 8192U + sizeof(RecordHeader));
  EXPECT_LT(finding.bytes.to, 8192U + 200);
}

TEST_F(ChannelCheckTest, ADestroyedRecordIsMissing) {
  for (const bool with_checkpoint : {true, false}) {
    with_checkpoint ? fill() : fill_without_checkpoint();
    std::fill_n(bytes.begin() + 8192, 40, '\x55');
    write();
    const ChannelCheck found = check();
    EXPECT_FALSE(found.is_clean());
    ASSERT_EQ(found.tally.findings.size(), 1U);
    EXPECT_EQ(found.tally.findings[0].kind, Finding::Kind::kNoRecord);
    EXPECT_EQ(found.tally.findings[0].bytes.from, 8192U);
    EXPECT_EQ(found.tally.findings[0].bytes.to, 12288U);
    // Without a checkpoint nobody knows what the numbers in between were given to.
    EXPECT_EQ(found.missing.count(), with_checkpoint ? 3U : 0U);
    ASSERT_TRUE(kit.files.remove("/data/channel.meta").ok());  // For the next round.
    ASSERT_TRUE(kit.files.remove("/check/channel.meta").ok());
    ASSERT_TRUE(kit.files.remove(kFirst).ok());
    if (with_checkpoint) {
      ASSERT_TRUE(kit.files.remove(kCheckpointFile).ok());
    }
  }
}

TEST_F(ChannelCheckTest, RecordsThatTheCheckpointSawAreMissed) {
  fill();
  std::fill(bytes.begin() + 12288, bytes.end(), '\0');
  write();
  const ChannelCheck found = check();
  EXPECT_EQ(found.missing.all(), numbers(6, 9));
  ASSERT_EQ(found.tally.findings.size(), 1U);
  EXPECT_EQ(found.tally.findings[0].kind, Finding::Kind::kMissing);
  EXPECT_EQ(found.tally.findings[0].bytes.from, 12288U);
  EXPECT_EQ(found.tally.findings[0].bytes.to, 16384U);
}

// What a crash leaves of a group that was never acknowledged.
TEST_F(ChannelCheckTest, ATornLastGroupIsNoDamage) {
  fill_without_checkpoint();
  damage_event("c2");
  write();
  const ChannelCheck found = check();
  EXPECT_TRUE(found.is_clean());
  ASSERT_EQ(found.tally.findings.size(), 1U);
  EXPECT_EQ(found.tally.findings[0].kind, Finding::Kind::kCutOff);
  EXPECT_EQ(found.tally.findings[0].events.all(), numbers(8, 9));
  // A start drops it; then it is no damage either.
  open();
  EXPECT_EQ(drain().size(), 8U);
  ASSERT_TRUE(put(kit.slabs.numbered(2, "d")).ok());
  channel->stop();
  EXPECT_TRUE(check().is_clean());
}

// No crash makes a file shorter: case 33 of the field.
TEST_F(ChannelCheckTest, ACutFileIsDamaged) {
  fill_without_checkpoint();
  bytes.resize(bytes.find_last_not_of('\0') + 1 - 7);
  write();
  const ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  EXPECT_EQ(found.damaged.count(), found.tally.findings[0].events.count());
  EXPECT_TRUE(found.damaged.contains(8));
}

TEST_F(ChannelCheckTest, ATornHeaderAtTheEndIsNoDamage) {
  fill_without_checkpoint();
  bytes[12288 + 40] ^= 1;  // Its CRC does not fit; magic and generation do.
  write();
  const ChannelCheck found = check();
  EXPECT_TRUE(found.is_clean());
  EXPECT_EQ(found.tally.whole.count(), 6U);
}

TEST_F(ChannelCheckTest, AMissingSegmentAndADestroyedHeaderAreTold) {
  fill();
  ASSERT_TRUE(kit.files.remove(kFirst).ok());
  ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  EXPECT_TRUE(found.has_damaged_checkpoint);
  EXPECT_EQ(found.lost, 9U);
  bytes[3] ^= 1;
  write();
  found = check();
  EXPECT_EQ(found.headless, std::vector<std::filesystem::path>{kFirst});
  EXPECT_EQ(found.lost, 9U);
}

TEST_F(ChannelCheckTest, ACopyOfASegmentIsTold) {
  fill();
  kit.files.put("/data/segment-000004.wal", bytes);
  const ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  EXPECT_EQ(found.duplicates.size(), 1U);
  EXPECT_TRUE(found.missing.empty());
}

// A checkpoint newer than its segment: a file that was put back from an older copy.
TEST_F(ChannelCheckTest, AnOlderCopyOfASegmentLacksEvents) {
  open();
  ASSERT_TRUE(put(kit.slabs.numbered(3, "a")).ok());
  const std::string older = kit.files.text(kFirst);
  ASSERT_TRUE(put(kit.slabs.numbered(3, "b")).ok());
  channel->stop();
  kit.files.put(kFirst, older);
  const ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  EXPECT_EQ(found.missing.all(), numbers(3, 6));
}

TEST_F(ChannelCheckTest, ADamagedCheckpointIsDamage) {
  fill();
  kit.files.put(kCheckpointFile, "MRCHKPNT");
  const ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  EXPECT_TRUE(found.has_damaged_checkpoint);
  EXPECT_TRUE(found.missing.empty());
  ASSERT_TRUE(kit.files.remove(kCheckpointFile).ok());  // One that was never made is none.
  EXPECT_TRUE(check().is_clean());
}

TEST_F(ChannelCheckTest, ADamagedAcknowledgementIsTold) {
  open({{"checkpointOnClose", "false"}});
  ASSERT_TRUE(put(kit.slabs.numbered(3, "a")).ok());
  commit(*take());
  ASSERT_TRUE(testing_kit::eventually(
      [&] { return kit.files.text(kFirst).find("MRA1") != std::string::npos; }));
  ASSERT_TRUE(put(kit.slabs.numbered(3, "b")).ok());
  channel->stop();
  bytes = kit.files.text(kFirst);
  bytes[bytes.find("MRA1") + sizeof(RecordHeader)] ^= 1;
  write();
  const ChannelCheck found = check();
  EXPECT_FALSE(found.is_clean());
  ASSERT_EQ(found.tally.findings.size(), 1U);
  EXPECT_EQ(found.tally.findings[0].kind, Finding::Kind::kAcknowledgement);
}

}  // namespace
}  // namespace millrace::file_channel
