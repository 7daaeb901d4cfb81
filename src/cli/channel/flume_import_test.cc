#include "cli/channel/flume_import.h"

#include <gtest/gtest.h>

#include <atomic>

#include "channel/flume_log/flume_log_kit.h"
#include "core/testing_services.h"

namespace millrace {
namespace {

using Bodies = std::vector<std::string>;
using flume_log::RecordType;
namespace kit = flume_log::kit;

// Flume's channel in /flume/c, /flume/a and /flume/b; ours in /check and /data.
class FlumeImportTest : public testing::Test {
 protected:
  FlumeImportTest() {
    request.checkpoint_dir = "/flume/c";
    request.data_dirs = {"/flume/a", "/flume/b"};
    request.channel = "channel c1";
    request.config.checkpoint_dir = "/check";
    request.config.data_dirs = "/data";
    request.config.max_file_size.value = 65536;
    request.config.minimum_required_space.value = 1 << 20;
    request.config.transaction_capacity = 10;
    services.files.put("/flume/c/x", {});
  }

  // `count` events in transactions of 7, to both dirs in turn.
  void fill_flume(int count) {
    for (int i = 0; i < count; ++i) {
      expected.push_back("event " + std::to_string(i));
      kit::LogBuilder& log = i / 7 % 2 == 0 ? a : b;
      log.put(1000 + i / 7, expected.back(), {{"host", i < 20 ? "one" : "two"}});
      if (i % 7 == 6 || i + 1 == count) {
        log.commit(1000 + i / 7, RecordType::kPut);
      }
    }
    lay_flume(services.files);
  }
  void lay_flume(FakeFileSystem& files) {
    files.put("/flume/a/log-1", a.file());
    files.put("/flume/a/log-1.meta", a.meta());
    files.put("/flume/b/log-2", b.file());
    files.put("/flume/b/log-2.meta", b.meta());
  }

  Result<ImportCounts> import(testing_kit::TestServices& on) {
    messages.clear();
    FlumeImport run(
        request, {"c1", on.services, on.metrics.group("CHANNEL", "c1"), std::size_t{1} << 24},
        [this](const std::string& text) { messages += text + "\n"; },
        [this](std::uint64_t done, std::uint64_t) { progress = done; });
    return run.run();
  }
  Result<ImportCounts> import() { return import(services); }
  void expect_refused(std::string_view why) {
    const Result<ImportCounts> result = import();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().fault(), Fault::kRejected);
    EXPECT_NE(result.error().message().find(why), std::string::npos) << result.error().message();
  }

  // Opens our channel, and takes and commits all, or some.
  Bodies drain(testing_kit::TestServices& on, std::size_t most = 1 << 20) {
    FileChannel channel(request.config, {"c1", on.services, on.metrics.group("CHANNEL", "c1"),
                                         std::size_t{1} << 24});
    EXPECT_TRUE(channel.start().ok());
    Bodies bodies;
    while (bodies.size() < most) {
      const auto lease = channel.take({most - bodies.size(), std::size_t{1} << 20}, {}, {});
      if (!lease) {
        break;
      }
      for (const EventRef& event : *lease->batch) {
        bodies.emplace_back(event.body());
        EXPECT_EQ(event.headers().size(), 1U);
      }
      channel.commit({&*lease, 1}, {}, {});
    }
    return bodies;
  }
  Bodies drain() { return drain(services); }

  testing_kit::TestServices services;
  std::int64_t order = 1'700'000'000'000;
  kit::LogBuilder a{1, order};
  kit::LogBuilder b{2, order};
  Bodies expected;
  ImportRequest request;
  std::string messages;
  std::uint64_t progress = 0;
};

TEST_F(FlumeImportTest, BringsEveryEventOverInOrderAndTellsTheCounts) {
  fill_flume(50);
  const auto taken = a.put_all(1, {"taken", "taken too"});
  b.take_all(2, taken);
  a.put(3, "never committed");
  lay_flume(services.files);
  const Result<ImportCounts> counts = import();
  ASSERT_TRUE(counts.ok()) << counts.error().message();
  EXPECT_EQ(counts.value().found, 53U);
  EXPECT_EQ(counts.value().imported, 50U);
  EXPECT_EQ(counts.value().taken, 2U);
  EXPECT_EQ(counts.value().uncommitted, 1U);
  EXPECT_EQ(counts.value().damaged, 0U);
  EXPECT_EQ(progress, 50U);
  EXPECT_EQ(drain(), expected);
}

TEST_F(FlumeImportTest, OfDamagedRecordsTheOthersComeOver) {
  fill_flume(30);
  a.bytes()[a.bytes().find("event 2")] = 'E';
  lay_flume(services.files);
  const Result<ImportCounts> counts = import();
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts.value().imported, 29U);
  EXPECT_EQ(counts.value().damaged, 1U);
  EXPECT_NE(messages.find("damaged: /flume/a/log-1 from byte "), std::string::npos) << messages;
  expected.erase(expected.begin() + 2);
  EXPECT_EQ(drain(), expected);
}

TEST_F(FlumeImportTest, ASecondImportIsNoticedWhereverTheFilesLie) {
  fill_flume(30);
  ASSERT_TRUE(import().ok());
  expect_refused("--again");
  services.files.put("/copy/c/x", {});
  services.files.put("/copy/a/log-1", a.file());
  request.checkpoint_dir = "/copy/c";
  request.data_dirs = {"/copy/a"};
  expect_refused("what /flume/c held was imported into channel c1 before");
  request.checkpoint_dir = "/flume/c";
  request.data_dirs = {"/flume/a", "/flume/b"};
  request.again = true;
  ASSERT_TRUE(import().ok());
  const Bodies once = expected;
  expected.insert(expected.end(), once.begin(), once.end());
  EXPECT_EQ(drain(), expected);
}

TEST_F(FlumeImportTest, AnotherFlumeChannelMayFollowIntoTheSameOne) {
  fill_flume(10);
  ASSERT_TRUE(import().ok());
  kit::LogBuilder other(1, order);
  other.put(1, "of another channel", {{"host", "x"}});
  other.commit(1, RecordType::kPut);
  services.files.put("/other/c/x", {});
  services.files.put("/other/a/log-1", other.file());
  request.checkpoint_dir = "/other/c";
  request.data_dirs = {"/other/a"};
  ASSERT_TRUE(import().ok());
  expected.emplace_back("of another channel");
  EXPECT_EQ(drain(), expected);
}

TEST_F(FlumeImportTest, WithoutRoomForAllNothingIsPutAndTheCapacityIsNamed) {
  fill_flume(30);
  request.config.capacity = 29;
  expect_refused("set its capacity to at least 30");
  EXPECT_EQ(drain(), Bodies());
  request.config.capacity = 30;
  EXPECT_TRUE(import().ok());
}

TEST_F(FlumeImportTest, RefusesFlumesOwnFoldersAndFoldersThatAreLeftOut) {
  fill_flume(30);
  request.config.data_dirs = "/data, /flume/b/.";
  expect_refused("/flume/b is Flume's");
  request.config.data_dirs = "/data";
  flume_log::FlumeCheckpoint checkpoint{.order = 1, .queue = {{7, 0}, {7, 100}}};
  kit::put_checkpoint(services.files, "/flume/c", checkpoint);
  expect_refused("2 events are in log-7, which is in none of the data dirs");
  request.accept_loss = true;
  const Result<ImportCounts> counts = import();
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts.value().damaged, 2U);
  EXPECT_EQ(drain(), expected);
}

TEST_F(FlumeImportTest, AChannelThatAnAgentHasOpenIsLeftAlone) {
  fill_flume(30);
  services.files.put("/check/in_use.lock", "4711\n");
  services.files.hold_lock("/check/in_use.lock", 4711);
  const Result<ImportCounts> result = import();
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message().find("4711"), std::string::npos);
}

// Goal: a power cut at any operation loses nothing, and doubles nothing without a word. Method: one
// at each operation of an import in turn, then another import, which has to go on.
TEST_F(FlumeImportTest, WhereverThePowerIsCutTheNextImportGoesOn) {
  fill_flume(45);
  std::uint64_t cut_at = 0;
  for (bool was_cut = true; was_cut; ++cut_at) {
    testing_kit::TestServices fresh;
    fresh.files.put("/flume/c/x", {});
    lay_flume(fresh.files);
    const std::uint64_t first = fresh.files.operations();
    was_cut = false;
    fresh.files.on_operation([&](const FakeFileSystem::Call& call) {
      if (call.number == first + cut_at) {
        was_cut = true;
        fresh.files.cut_power();
      }
    });
    const Result<ImportCounts> cut = import(fresh);
    fresh.files.on_operation({});
    fresh.files.restore_power();
    Result<ImportCounts> next = import(fresh);
    if (!next.ok()) {  // The first had come to its end.
      EXPECT_NE(next.error().message().find("--again"), std::string::npos)
          << cut_at << ": " << next.error().message();
    }
    const Bodies bodies = drain(fresh);
    if (messages.find("come in a second time") == std::string::npos) {
      ASSERT_EQ(bodies, expected) << "cut at operation " << cut_at << "\n" << messages;
    } else {
      EXPECT_LE(bodies.size(), expected.size() + 10);
      for (const std::string& body : expected) {
        EXPECT_NE(std::find(bodies.begin(), bodies.end(), body), bodies.end()) << cut_at;
      }
    }
    if (cut.ok() && !was_cut) {
      break;
    }
  }
  EXPECT_GT(cut_at, 30U);
}

TEST_F(FlumeImportTest, WhatWasUsedSinceACutIsNotGuessed) {
  fill_flume(45);
  std::atomic<std::uint64_t> syncs = 0;  // By several threads.
  services.files.on_operation([&](const FakeFileSystem::Call& call) {
    if (call.operation == FakeFileSystem::Operation::kSync && call.path.extension() == ".wal" &&
        ++syncs == 3) {
      services.files.cut_power();
    }
  });
  ASSERT_FALSE(import().ok());
  services.files.on_operation({});
  services.files.restore_power();
  const Bodies first = drain(services, 5);
  EXPECT_EQ(first, Bodies(expected.begin(), expected.begin() + 5));
  expect_refused("the channel was used since");
  request.again = true;
  EXPECT_TRUE(import().ok());
  EXPECT_GE(drain().size(), 45U);
}

TEST_F(FlumeImportTest, AFullDiskEndsItAndTheNextOneGoesOn) {
  fill_flume(45);
  services.files.fail_always(FakeFileSystem::Operation::kWrite, ENOSPC);
  EXPECT_FALSE(import().ok());
  services.files.heal();
  const Result<ImportCounts> counts = import();
  ASSERT_TRUE(counts.ok()) << counts.error().message();
  EXPECT_EQ(drain(), expected);
}

TEST(ImportRecordTest, SaysWhatItWasToldAndNoticesDamage) {
  const ImportRecord record{.is_complete = true,
                            .checkpoint_dir = "/var/lib/my flume",
                            .logs = {{1, 1'700'000'000'001}, {2, -5}},
                            .events = 7,
                            .events_crc = 0xDEADBEEF,
                            .put_before = 10,
                            .gone_before = 3,
                            .batch_events = 100};
  const std::string text = encode_import_record(record);
  const ImportRecord read = decode_import_record(text).value();
  EXPECT_EQ(encode_import_record(read), text);
  EXPECT_TRUE(read.shares_log_with(record));
  EXPECT_TRUE(read.has_same_events_as(record));
  ImportRecord other = record;
  other.logs = {{1, 1'700'000'000'002}};
  EXPECT_FALSE(read.shares_log_with(other));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string bad = text;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_FALSE(decode_import_record(bad).ok()) << i;
  }
}

}  // namespace
}  // namespace millrace
