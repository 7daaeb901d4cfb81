// Goal: what flush() reports is in the files, once, in order, and there after a power loss when the
// channel is durable. Method: the fake file system forgets every byte that no sync covered, and
// fails when told to.
#include "sink/rolling_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/registry.h"
#include "core/testing_services.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;  // NOLINT: 30s.
using Operation = FakeFileSystem::Operation;
using Texts = std::vector<std::string>;
using Keys = std::initializer_list<std::pair<std::string_view, std::string_view>>;

class RollingFileSinkTest : public ::testing::Test {
 protected:
  RollingFileSinkTest() {
    EXPECT_TRUE(test_.files.create_directories("/out").ok());
    test_.files.let_unsynced_survive(false);
  }

  std::unique_ptr<Sink> make(Keys more, bool channel_is_durable = true) {
    PropertySection keys(more);
    if (keys.find("sink.directory") == nullptr) {
      keys.set({"sink.directory", "/out", "", 0, "sink.directory"});
    }
    Diagnostics findings;
    auto prepared =
        SinkRegistry::instance().find("file_roll")->prepare(keys, findings, common_sink_keys());
    EXPECT_TRUE(prepared.has_value()) << findings.to_string();
    return prepared->make(SinkContext{"k1", test_.services, metrics_, channel_is_durable});
  }
  std::unique_ptr<Sink> started(Keys more, bool channel_is_durable = true) {
    auto sink = make(more, channel_is_durable);
    EXPECT_TRUE(sink->start().ok());
    return sink;
  }
  // One transaction, as the runner does it.
  Result<> put(Sink& sink, const Texts& bodies) {
    Rejects rejects;
    TRY(sink.idle());
    TRY(sink.deliver(*test_.slabs.batch_of_bodies(bodies), rejects));
    return sink.flush();
  }
  Texts contents() const { return test_.files.contents("/out"); }
  Texts names() { return test_.files.list("/out").value(); }
  std::uint64_t metric(std::string_view name) { return metrics_.counter(name).value(); }

  // The bodies of all whole blocks of a file; each must end at a block's border.
  Texts avro_bodies(const std::string& name) {
    Texts bodies;
    auto reader = AvroContainerReader::open(test_.files, "/out/" + name).value();
    while (const auto block = reader.next_block().value()) {
      AvroEvents events(*block);
      AvroEvent event;
      while (events.next(event).value()) {
        bodies.emplace_back(event.body);
      }
    }
    EXPECT_EQ(reader.end(), FileEnd::kBorder);
    return bodies;
  }

  testing_kit::TestServices test_;
  MetricGroup metrics_{"SINK", "k1"};
};

TEST_F(RollingFileSinkTest, KeepsAcknowledgedEventsAcrossACrash) {
  auto sink = started({});
  ASSERT_TRUE(put(*sink, {"a", "b"}).ok());
  test_.clock.advance(30s);
  ASSERT_TRUE(put(*sink, {"c"}).ok());
  test_.files.crash();
  EXPECT_EQ(contents(), (Texts{"a\nb\n", "c\n"}));
}

TEST_F(RollingFileSinkTest, SyncsWhenTheChannelIsDurableOrTheKeySaysSo) {
  EXPECT_TRUE(make({}, true)->flush_is_costly());
  EXPECT_FALSE(make({}, false)->flush_is_costly());
  EXPECT_FALSE(make({{"sink.sync", "never"}}, true)->flush_is_costly());
  auto sink = started({{"sink.sync", "ALWAYS"}}, false);
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.files.crash();
  EXPECT_EQ(contents(), (Texts{"a\n"}));
}

TEST_F(RollingFileSinkTest, HandsUnsyncedEventsToTheSystemAtEachFlush) {
  auto sink = started({{"sink.serializer", "AVRO_EVENT"}}, false);
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  EXPECT_EQ(avro_bodies(names().at(0)), (Texts{"a"}));
}

TEST_F(RollingFileSinkTest, NamesFilesAsFlumeDoes) {
  auto sink = started({{"sink.rollInterval", "10"}});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.clock.advance(11s);
  ASSERT_TRUE(put(*sink, {"b"}).ok());
  EXPECT_EQ(names(), (Texts{"1700000000000-1", "1700000000000-2"}));
}

TEST_F(RollingFileSinkTest, NamesFilesByTheTimeOfTheRoll) {
  auto sink = started({{"sink.rollInterval", "1"},
                       {"sink.pathManager", "rolltime"},
                       {"sink.pathManager.prefix", "web-"},
                       {"sink.pathManager.extension", "log"}});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.clock.advance(1s);
  ASSERT_TRUE(put(*sink, {"b"}).ok());
  ASSERT_EQ(names().size(), 2U);
  for (const std::string& name : names()) {
    EXPECT_THAT(name, ::testing::MatchesRegex("web-2023111[45][0-9]+-1\\.log"));
  }
}

TEST_F(RollingFileSinkTest, NeverTouchesAFileThatIsThere) {
  test_.files.put("/out/1700000000000-1", "old");
  auto sink = started({});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  EXPECT_EQ(contents(), (Texts{"old", "a\n"}));
}

TEST_F(RollingFileSinkTest, LeavesNoRowOfEmptyFiles) {
  auto sink = started({});
  EXPECT_EQ(contents(), (Texts{""}));  // Begun at start, for whoever waits for it.
  for (int i = 0; i < 10; ++i) {
    test_.clock.advance(31s);
    ASSERT_TRUE(sink->idle().ok());
  }
  EXPECT_EQ(contents(), (Texts{""}));
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.clock.advance(31s);
  ASSERT_TRUE(sink->idle().ok());
  EXPECT_EQ(contents(), (Texts{"a\n"}));
  EXPECT_EQ(metric("ConnectionCreatedCount"), 1U);
  EXPECT_EQ(metric("ConnectionClosedCount"), 1U);
}

TEST_F(RollingFileSinkTest, AnIntervalOfZeroMeansOneFile) {
  auto sink = started({{"sink.rollInterval", "0"}});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.clock.advance(10h);
  ASSERT_TRUE(put(*sink, {"b"}).ok());
  sink->stop();
  EXPECT_EQ(contents(), (Texts{"a\nb\n"}));
  EXPECT_EQ(metric("ConnectionClosedCount"), 1U);
}

TEST_F(RollingFileSinkTest, WaitsForItsFolder) {
  auto sink = make({{"sink.directory", "/later"}});
  const Result<> first = sink->start();
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(first.error().fault(), Fault::kTransient);
  EXPECT_THAT(first.error().message(), ::testing::HasSubstr("sink.directory /later"));
  EXPECT_EQ(metric("ConnectionFailedCount"), 1U);
  ASSERT_TRUE(test_.files.create_directories("/later").ok());
  ASSERT_TRUE(sink->start().ok());
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  EXPECT_EQ(test_.files.contents("/later"), (Texts{"a\n"}));
}

// Goal: what nobody could find is not acknowledged.
TEST_F(RollingFileSinkTest, BeginsANewFileWhenItsOwnIsTakenAway) {
  auto sink = started({});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  ASSERT_TRUE(test_.files.rename("/out/" + names().at(0), "/moved").ok());
  ASSERT_TRUE(put(*sink, {"b"}).ok());
  EXPECT_EQ(contents(), (Texts{"b\n"}));

  Rejects rejects;
  ASSERT_TRUE(sink->deliver(*test_.slabs.batch_of_bodies({"c"}), rejects).ok());
  ASSERT_TRUE(test_.files.remove("/out/" + names().at(0)).ok());
  EXPECT_FALSE(sink->flush().ok());
  ASSERT_TRUE(put(*sink, {"c"}).ok());
  EXPECT_EQ(contents(), (Texts{"c\n"}));
}

TEST_F(RollingFileSinkTest, AFullDiskLeavesNoTornRecordAndNoRepeat) {
  for (const std::string_view format : {"TEXT", "AVRO_EVENT"}) {
    auto sink = started({{"sink.serializer", format}});
    const std::string name = names().back();
    ASSERT_TRUE(put(*sink, {"a"}).ok());
    test_.files.fail(Operation::kWrite, ENOSPC, 0, 2);
    EXPECT_FALSE(put(*sink, {"b", "c"}).ok());
    EXPECT_FALSE(put(*sink, {"b", "c"}).ok());
    ASSERT_TRUE(put(*sink, {"b", "c"}).ok());
    sink->stop();
    EXPECT_EQ(names().back(), name);
    if (format == "TEXT") {
      EXPECT_EQ(test_.files.text("/out/" + name), "a\nb\nc\n");
    } else {
      EXPECT_EQ(avro_bodies(name), (Texts{"a", "b", "c"}));
    }
    test_.clock.advance(1s);
  }
}

// Goal: a file that may not grow any more, by `ulimit -f` or its file system, is left as committed,
// and the series goes on.
TEST_F(RollingFileSinkTest, AFileThatMayNotGrowIsFollowedByTheNext) {
  for (const std::string_view format : {"TEXT", "AVRO_EVENT"}) {
    auto sink = started({{"sink.serializer", format}, {"sink.rollInterval", "0"}});
    ASSERT_TRUE(put(*sink, {"a"}).ok());
    const std::string full = names().back();
    test_.files.fail_next(Operation::kWrite, EFBIG);
    EXPECT_FALSE(put(*sink, {"b", "c"}).ok());
    ASSERT_TRUE(put(*sink, {"b", "c"}).ok());
    const std::string next = names().back();
    ASSERT_NE(next, full);
    test_.files.crash();
    if (format == "TEXT") {
      EXPECT_EQ(test_.files.text("/out/" + full), "a\n");
      EXPECT_EQ(test_.files.text("/out/" + next), "b\nc\n");
    } else {
      EXPECT_EQ(avro_bodies(full), (Texts{"a"}));
      EXPECT_EQ(avro_bodies(next), (Texts{"b", "c"}));
    }
    test_.clock.advance(1s);
  }
}

// One that is too small for the events at hand would be followed by as small ones, for ever.
TEST_F(RollingFileSinkTest, AnEmptyFileThatMayNotGrowIsKept) {
  auto sink = started({{"sink.rollInterval", "0"}});
  test_.files.fail(Operation::kWrite, EFBIG, 0, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(put(*sink, {"a"}).ok());
  }
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  EXPECT_EQ(contents(), (Texts{"a\n"}));
}

TEST_F(RollingFileSinkTest, AFailedSyncEndsTheFile) {
  auto sink = started({});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.files.fail_next(Operation::kSync, EIO);
  EXPECT_FALSE(put(*sink, {"b"}).ok());
  ASSERT_TRUE(put(*sink, {"b"}).ok());
  test_.files.crash();
  EXPECT_EQ(contents(), (Texts{"a\n", "b\n"}));
}

TEST_F(RollingFileSinkTest, AFailedSyncOfAnEmptyFileLeavesNothing) {
  auto sink = started({});
  test_.files.fail_always(Operation::kSync, EIO);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(put(*sink, {"a"}).ok());
  }
  test_.files.heal();
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  EXPECT_EQ(contents(), (Texts{"a\n"}));
}

TEST_F(RollingFileSinkTest, GoesOnInANewFileWhenItCannotCut) {
  auto sink = started({});
  ASSERT_TRUE(put(*sink, {"a"}).ok());
  test_.files.fail_next(Operation::kWrite, EIO);
  test_.files.fail_next(Operation::kTruncate, EIO);
  EXPECT_FALSE(put(*sink, {"b"}).ok());
  ASSERT_TRUE(put(*sink, {"b"}).ok());
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(contents().at(1), "b\n");
}

// Any call may fail, at any time, or the power may go: what flush() reported is there, in order;
// an event whose flush failed may be there too, and may come twice only where the file was left.
TEST_F(RollingFileSinkTest, LosesNothingUnderRandomFaults) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Operation operations[] = {Operation::kOpen, Operation::kWrite, Operation::kSync,
                                  Operation::kTruncate, Operation::kSyncDirectory};
  auto sink = started({{"sink.serializer", "AVRO_EVENT"},
                       {"sink.serializer.compressionCodec", "snappy"},
                       {"sink.rollInterval", "5"}});
  Texts acknowledged;
  for (int i = 0; i < 300; ++i) {
    if (random() % 3 == 0) {
      test_.files.fail(operations[random() % std::size(operations)], ENOSPC, random() % 2, 1);
    }
    test_.clock.advance(1s);
    const std::string body = std::to_string(i);
    if (put(*sink, {body}).ok()) {
      acknowledged.push_back(body);
    }
    if (random() % 20 == 0) {
      test_.files.crash();
      test_.files.heal();
      sink = started({{"sink.serializer", "AVRO_EVENT"}, {"sink.rollInterval", "5"}});
    }
  }
  test_.files.crash();
  test_.files.heal();
  Texts found;
  for (const std::string& name : names()) {
    auto reader = AvroContainerReader::open(test_.files, "/out/" + name).value();
    for (auto block = reader.next_block(); block.ok() && *block; block = reader.next_block()) {
      AvroEvents events(**block);
      AvroEvent event;
      while (events.next(event).value()) {
        found.emplace_back(event.body);
      }
    }
  }
  std::sort(found.begin(), found.end());
  std::sort(acknowledged.begin(), acknowledged.end());
  EXPECT_TRUE(std::includes(found.begin(), found.end(), acknowledged.begin(), acknowledged.end()));
}

TEST_F(RollingFileSinkTest, ReportsWhatIsWrongWithItsSerializer) {
  const auto findings_of = [](Keys keys) {
    Diagnostics findings;
    (void)SinkRegistry::instance()
        .find("file_roll")
        ->prepare(PropertySection(keys), findings, common_sink_keys());
    return findings.to_string();
  };
  EXPECT_THAT(findings_of({{"sink.directory", "/out"}, {"sink.serializer", "JSON"}}),
              ::testing::HasSubstr("no such serializer"));
  EXPECT_THAT(findings_of({{"sink.directory", "/out"},
                           {"sink.serializer",
                            "org.apache.flume.serialization.SyslogAvroEventSerializer$Builder"}}),
              ::testing::HasSubstr("this serializer of Flume is not built in yet"));
  EXPECT_THAT(findings_of({{"sink.directory", "/out"},
                           {"sink.serializer", "AVRO_EVENT"},
                           {"sink.serializer.syncIntervalBytes", "many"}}),
              ::testing::HasSubstr("error: sink.serializer.syncIntervalBytes"));
  EXPECT_THAT(findings_of({{"sink.batchSize", "10"}}), ::testing::HasSubstr("sink.directory"));
}

}  // namespace
}  // namespace millrace
