// Goal: events are where their headers and times say, in files as Flume names and ends them; none
// is lost, and none comes twice but after a kill. Method: file:// on the fake file system, which
// fails, and stops, when told to.
#include "sink/hdfs/hdfs_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <random>

#include "core/registry.h"
#include "core/testing_services.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;  // NOLINT: 30s.
using Operation = FakeFileSystem::Operation;
using Keys = std::vector<std::pair<std::string, std::string>>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing_kit::TestEvent;
using Files = std::map<std::string, std::string>;

Keys with(Keys keys, const Keys& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

const Keys kNeverRoll{{"hdfs.rollInterval", "0"}, {"hdfs.rollSize", "0"}, {"hdfs.rollCount", "0"}};

class HdfsSinkTest : public ::testing::Test {
 protected:
  std::optional<Prepared<Sink, SinkContext>> prepared(const Keys& more) {
    PropertySection keys;
    Keys all = with({{"hdfs.path", "file:///out"},
                     {"hdfs.fileType", "DataStream"},
                     {"hdfs.stateDir", "/state"}},
                    more);
    for (const auto& [key, value] : all) {
      keys.set({key, value, "", 0, key});
    }
    Diagnostics findings;
    auto made = SinkRegistry::instance().find("hdfs")->prepare(keys, findings, common_sink_keys());
    findings_ = findings.to_string();
    return made;
  }
  std::unique_ptr<Sink> started(const Keys& more) {
    auto made = prepared(more);
    EXPECT_TRUE(made.has_value()) << findings_;
    auto sink = made->make(SinkContext{"k1", test_.services, metrics_, true});
    EXPECT_TRUE(sink->start().ok());
    return sink;
  }
  // One transaction, as the runner does it.
  Result<> put(Sink& sink, const std::vector<TestEvent>& events) {
    Rejects rejects;
    TRY(sink.idle());
    TRY(sink.deliver(*test_.slabs.batch_of(events), rejects));
    rejects_ = rejects.all();
    return sink.flush();
  }
  Result<> put_bodies(Sink& sink, const std::vector<std::string>& bodies) {
    std::vector<TestEvent> events;
    for (const std::string& body : bodies) {
      events.push_back({body, {}});
    }
    return put(sink, events);
  }
  // By path below `folder`.
  Files files(const std::string& folder = "/out") {
    Files found;
    const auto names = test_.files.list(folder);
    for (const std::string& name : names.ok() ? names.value() : std::vector<std::string>()) {
      const std::string path = (std::filesystem::path(folder) / name).string();
      if (test_.files.status(path).value().is_directory) {
        found.merge(files(path));
      } else {
        found[path] = test_.files.text(path);
      }
    }
    return found;
  }
  // Lines of all files that are not in use, and how often each is there.
  std::map<std::string, int> lines(const std::string& folder = "/out") {
    std::map<std::string, int> found;
    for (const auto& [path, text] : files(folder)) {
      if (path.ends_with(".tmp")) {
        continue;
      }
      EXPECT_TRUE(text.empty() || text.back() == '\n') << path << " has a torn end";
      std::size_t at = 0;
      while (at < text.size()) {
        const std::size_t end = text.find('\n', at);
        ++found[text.substr(at, end - at)];
        at = end == std::string::npos ? text.size() : end + 1;
      }
    }
    return found;
  }
  std::uint64_t metric(std::string_view name) { return metrics_.counter(name).value(); }

  testing_kit::TestServices test_;
  MetricGroup metrics_{"SINK", "k1"};
  std::string findings_;
  std::vector<Rejects::Reject> rejects_;
};

TEST_F(HdfsSinkTest, NamesFilesAsFlumeDoes) {
  auto sink = started(with(kNeverRoll, {{"hdfs.filePrefix", "web"},
                                        {"hdfs.fileSuffix", ".log"},
                                        {"hdfs.inUsePrefix", "_"},
                                        {"hdfs.inUseSuffix", ".open"}}));
  ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  EXPECT_THAT(files(), ElementsAre(Pair("/out/_web.1700000000001.log.open", "a\n")));
  sink->stop();
  EXPECT_THAT(files(), ElementsAre(Pair("/out/web.1700000000001.log", "a\n")));
}

TEST_F(HdfsSinkTest, SortsEventsIntoBuckets) {
  auto sink = started(with(kNeverRoll, {{"hdfs.path", "file:///out/%{app}/%Y"}}));
  ASSERT_TRUE(put(*sink, {{"a1", {{"app", "a"}, {"timestamp", "1768454262000"}}},
                          {"no", {{"app", "a"}}},
                          {"b1", {{"app", "b"}, {"timestamp", "1768454262000"}}},
                          {"a2", {{"app", "a"}, {"timestamp", "1768454263000"}}}})
                  .ok());
  ASSERT_EQ(rejects_.size(), 1U);
  EXPECT_EQ(rejects_[0].event, 1U);
  EXPECT_THAT(rejects_[0].reason, HasSubstr("timestamp"));
  sink->stop();
  EXPECT_THAT(files(), ElementsAre(Pair("/out/a/2026/FlumeData.1700000000001", "a1\na2\n"),
                                   Pair("/out/b/2026/FlumeData.1700000000001", "b1\n")));
}

TEST_F(HdfsSinkTest, EndsFilesByCountAndSize) {
  auto sink = started({{"hdfs.rollCount", "2"}, {"hdfs.rollSize", "0"}});
  ASSERT_TRUE(put_bodies(*sink, {"a", "b", "c", "d", "e"}).ok());
  EXPECT_THAT(files(), ElementsAre(Pair("/out/FlumeData.1700000000001", "a\nb\n"),
                                   Pair("/out/FlumeData.1700000000002", "c\nd\n"),
                                   Pair("/out/FlumeData.1700000000003.tmp", "e\n")));
  sink->stop();
  auto by_size = started({{"hdfs.rollCount", "0"}, {"hdfs.rollSize", "4"}});
  test_.clock.advance(1s);
  ASSERT_TRUE(put_bodies(*by_size, {"xx", "xxx", "x"}).ok());
  EXPECT_EQ(files().at("/out/FlumeData.1700000001001"), "xx\nxxx\n");
}

TEST_F(HdfsSinkTest, EndsFilesByTheClockWithoutTraffic) {
  auto sink = started({{"hdfs.rollInterval", "30"}, {"hdfs.idleTimeout", "5"}});
  ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  test_.clock.advance(4s);
  ASSERT_TRUE(sink->idle().ok());
  EXPECT_EQ(files().count("/out/FlumeData.1700000000001.tmp"), 1U);
  test_.clock.advance(1s);
  ASSERT_TRUE(sink->idle().ok());
  EXPECT_THAT(files(), ElementsAre(Pair("/out/FlumeData.1700000000001", "a\n")));
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(put_bodies(*sink, {"b"}).ok());
    test_.clock.advance(4s);
  }
  ASSERT_TRUE(put_bodies(*sink, {"c"}).ok());
  EXPECT_EQ(lines().at("b"), 8);  // 32 s: the interval.
  EXPECT_EQ(metric("ConnectionCreatedCount"), 3U);
  EXPECT_EQ(metric("ConnectionClosedCount"), 2U);
}

TEST_F(HdfsSinkTest, EndsTheFileThatIsUnusedTheLongestForAnother) {
  auto sink =
      started(with(kNeverRoll, {{"hdfs.path", "file:///out/%{app}"}, {"hdfs.maxOpenFiles", "2"}}));
  for (const char* app : {"a", "b", "a", "c"}) {
    ASSERT_TRUE(put(*sink, {{app, {{"app", app}}}}).ok());
  }
  EXPECT_EQ(lines(), (std::map<std::string, int>{{"b", 1}}));
  ASSERT_TRUE(
      put(*sink, {{"1", {{"app", "d"}}}, {"2", {{"app", "e"}}}, {"3", {{"app", "f"}}}}).ok());
  sink->stop();
  EXPECT_EQ(lines(), (std::map<std::string, int>{
                         {"a", 2}, {"b", 1}, {"c", 1}, {"1", 1}, {"2", 1}, {"3", 1}}));
}

TEST_F(HdfsSinkTest, AFolderThatCannotBeWrittenSpoilsNoOther) {
  auto sink = started(with(kNeverRoll, {{"hdfs.path", "file:///out/%{app}"}}));
  test_.files.fail_under("/out/bad", EACCES);
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(put(*sink, {{"good", {{"app", "good"}}}, {"x", {{"app", "bad"}}}}).ok());
  }
  EXPECT_THAT(files("/out/good"), ElementsAre(Pair("/out/good/FlumeData.1700000000001.tmp", "")));
  test_.files.heal();
  ASSERT_TRUE(put(*sink, {{"good", {{"app", "good"}}}, {"x", {{"app", "bad"}}}}).ok());
  sink->stop();
  EXPECT_EQ(lines(), (std::map<std::string, int>{{"good", 1}, {"x", 1}}));
}

TEST_F(HdfsSinkTest, CutsWhatATransactionThatFailedLeft) {
  auto sink = started(kNeverRoll);
  ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  test_.files.fail_next(Operation::kSync, EIO);
  EXPECT_FALSE(put_bodies(*sink, {"b"}).ok());
  ASSERT_TRUE(put_bodies(*sink, {"b"}).ok());
  sink->stop();
  EXPECT_THAT(files(), ElementsAre(Pair("/out/FlumeData.1700000000001", "a\n"),
                                   Pair("/out/FlumeData.1700000000002", "b\n")));
}

TEST_F(HdfsSinkTest, CutsInPlaceAFileThatHasItsNameFromTheStart) {
  auto sink = started(with(kNeverRoll, {{"hdfs.emptyInUseSuffix", "true"}}));
  ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  test_.files.fail_next(Operation::kSync, EIO);
  EXPECT_FALSE(put_bodies(*sink, {"b"}).ok());
  ASSERT_TRUE(put_bodies(*sink, {"b"}).ok());
  sink->stop();
  EXPECT_THAT(files(), ElementsAre(Pair("/out/FlumeData.1700000000001", "a\n"),
                                   Pair("/out/FlumeData.1700000000002", "b\n")));
}

TEST_F(HdfsSinkTest, TriesToNameAFileUntilItWorks) {
  auto sink = started({{"hdfs.rollCount", "1"}});
  test_.files.fail(Operation::kRename, EIO, 0, 2, "/out");
  ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  EXPECT_TRUE(lines().empty());
  for (int i = 0; i < 4; ++i) {
    test_.clock.advance(2s);
    ASSERT_TRUE(sink->idle().ok());
  }
  EXPECT_EQ(lines(), (std::map<std::string, int>{{"a", 1}}));
}

TEST_F(HdfsSinkTest, LeavesAFileToTheNextStartAfterCloseTries) {
  for (const Keys& few : {Keys{{"hdfs.closeTries", "2"}}, Keys{{"hdfs.retryInterval", "0"}}}) {
    auto sink = started(with({{"hdfs.rollCount", "1"}}, few));
    test_.files.fail(Operation::kRename, EIO, 0, 100, "/out");
    ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
    for (int i = 0; i < 10; ++i) {
      test_.clock.advance(200s);
      ASSERT_TRUE(sink->idle().ok());
    }
    test_.files.heal();
    test_.clock.advance(200s);
    ASSERT_TRUE(sink->idle().ok());
    EXPECT_TRUE(lines().empty());
    sink->stop();
    sink = started({});
    ASSERT_TRUE(sink->idle().ok());
    sink->stop();
    EXPECT_EQ(lines(), (std::map<std::string, int>{{"a", 1}}));
    ASSERT_TRUE(test_.files.remove(files().begin()->first).ok());
  }
}

TEST_F(HdfsSinkTest, EndsFilesThatLackReplicasThirtyTimesInARow) {
  auto sink = started(with(kNeverRoll, {{"hdfs.minBlockReplicas", "2"}}));
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  }
  EXPECT_EQ(metric("ConnectionCreatedCount"), 31U);  // A file of this machine has one replica.
  sink->stop();
  EXPECT_EQ(lines().at("a"), 40);
}

TEST_F(HdfsSinkTest, FinishesWhatAKilledProcessLeft) {
  auto sink = started(kNeverRoll);
  ASSERT_TRUE(put_bodies(*sink, {"a", "b"}).ok());
  test_.files.end_process();
  const std::string left = "/out/FlumeData.1700000000001.tmp";
  test_.files.put(left, "a\nb\nto");                   // A write that did not end.
  test_.files.put("/out/FlumeData.9.tmp", "another");  // Of another agent, which may be alive.
  test_.clock.advance(1s);
  sink = started(with(kNeverRoll, {{"hdfs.inUseSuffix", ".changed"}}));
  ASSERT_TRUE(sink->idle().ok());
  ASSERT_TRUE(put_bodies(*sink, {"c"}).ok());
  sink->stop();
  EXPECT_THAT(files(), ElementsAre(Pair("/out/FlumeData.1700000000001", "a\nb\n"),
                                   Pair("/out/FlumeData.1700000001001", "c\n"),
                                   Pair("/out/FlumeData.9.tmp", "another")));
}

TEST_F(HdfsSinkTest, WritesSequenceFilesAndRejectsWhatTheyCannotHold) {
  auto sink =
      started(with(kNeverRoll, {{"hdfs.fileType", "SequenceFile"}, {"hdfs.codeC", "gzip"}}));
  ASSERT_TRUE(put(*sink, {{"a", {{"timestamp", "5"}}}, {"b", {{"timestamp", "now"}}}}).ok());
  ASSERT_EQ(rejects_.size(), 1U);
  EXPECT_EQ(rejects_[0].event, 1U);
  sink->stop();
  ASSERT_EQ(files().size(), 1U);
  EXPECT_EQ(files().begin()->first, "/out/FlumeData.1700000000001.gz");
  EXPECT_THAT(files().begin()->second, ::testing::StartsWith("SEQ\x06"));
}

// In whichever format: what a killed process left is cut behind its last whole record.
TEST_F(HdfsSinkTest, CutsEachFormatWhereItIsWhole) {
  const std::vector<Keys> formats{
      {{"serializer", "AVRO_EVENT"}, {"serializer.compressionCodec", "snappy"}},
      {{"hdfs.fileType", "CompressedStream"}, {"hdfs.codeC", "bzip2"}},
      {{"hdfs.fileType", "CompressedStream"}, {"hdfs.codeC", "snappy"}},
      {{"hdfs.fileType", "SequenceFile"}},
      {{"hdfs.fileType", "SequenceFile"}, {"hdfs.codeC", "lz4"}}};
  for (std::size_t i = 0; i < formats.size(); ++i) {
    SCOPED_TRACE(i);
    const std::string folder = "/out/" + std::to_string(i);
    const Keys keys =
        with(with(kNeverRoll, formats[i]), {{"hdfs.path", folder}, {"hdfs.fileSuffix", ".x"}});
    auto sink = started(keys);
    ASSERT_TRUE(put_bodies(*sink, {"a", "b"}).ok());
    const std::string whole = files(folder).begin()->second;
    ASSERT_TRUE(put_bodies(*sink, {std::string(300, 'c')}).ok());
    const auto [path, more] = *files(folder).begin();
    ASSERT_GT(more.size(), whole.size() + 8);
    const std::size_t torn = (whole.size() + more.size()) / 2;
    test_.files.end_process();
    test_.files.put(path, more.substr(0, torn));
    test_.clock.advance(1s);
    sink = started(keys);
    ASSERT_TRUE(sink->idle().ok());
    sink->stop();
    const std::string published = folder + "/" + std::filesystem::path(path).stem().string();
    ASSERT_EQ(files(folder).count(published), 1U) << files(folder).begin()->first;
    EXPECT_EQ(files(folder).at(published), whole);
  }
}

TEST_F(HdfsSinkTest, ASecondAgentOfTheSameNamesIsRefused) {
  auto sink = started({});
  auto other = prepared({})->make(SinkContext{"k1", test_.services, metrics_, true});
  const Result<> refused = other->start();
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("hdfs.stateDir"));
}

TEST_F(HdfsSinkTest, ChecksWhatTheKeysSay) {
  const std::vector<std::pair<Keys, std::string>> faults{
      {{{"hdfs.path", "out"}}, "must begin with a slash"},
      {{{"hdfs.path", "s3://b/x"}}, "hdfs:// or file://"},
      {{{"hdfs.path", "hdfs://%{nn}/x"}}, "cannot depend on the event"},
      {{{"hdfs.path", "/%[who]"}}, "%[who]"},
      {{{"hdfs.timeZone", "Mars/Olympus"}}, "no time zone"},
      {{{"hdfs.round", "true"}, {"hdfs.roundUnit", "hour"}, {"hdfs.roundValue", "25"}}, "24"},
      {{{"hdfs.codeC", "gzip"}}, "CompressedStream"},
      {{{"hdfs.codeC", "lzma"}}, "hdfs.codeC"},
      {{{"hdfs.fileType", "CompressedStream"}}, "needs a codec"},
      {{{"hdfs.fileType", "SequenceFile"}, {"hdfs.writeFormat", "text"}}, "hdfs.writeFormat"},
      {{{"serializer", "NONE"}}, "serializer"},
      {{{"hdfs.proxyUser", "u"}}, "not supported yet"},
      {{{"hdfs.delivery", "exactly-once"}, {"hdfs.emptyInUseSuffix", "true"}}, "another name"},
      {{{"hdfs.delivery", "exactly-once"}, {"hdfs.sync", "hflush"}}, "hsync"},
      {{{"hdfs.inUsePrefix", "a/b"}}, "without a slash"},
  };
  for (const auto& [keys, text] : faults) {
    EXPECT_FALSE(prepared(keys).has_value()) << text;
    EXPECT_THAT(findings_, HasSubstr(text));
  }
  EXPECT_TRUE(prepared({{"hdfs.round", "true"}, {"hdfs.roundUnit", "day"}}).has_value());
  EXPECT_THAT(findings_, HasSubstr("nothing is rounded"));
}

// Any call may fail: what flush() reported is there once, and nothing else is.
TEST_F(HdfsSinkTest, LosesAndRepeatsNothingWhateverFails) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  constexpr Operation kOperations[]{
      Operation::kOpen,   Operation::kWrite,  Operation::kSync,   Operation::kTruncate,
      Operation::kRename, Operation::kRemove, Operation::kStatus, Operation::kSyncDirectory};
  auto sink = started({{"hdfs.path", "file:///out/%{app}"},
                       {"hdfs.rollCount", "7"},
                       {"hdfs.rollInterval", "20"},
                       {"hdfs.maxOpenFiles", "3"}});
  std::map<std::string, int> want;
  int number = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<TestEvent> events;
    for (std::uint32_t i = random() % 9 + 1; i > 0; --i) {
      events.push_back({std::to_string(number++), {{"app", std::to_string(random() % 5)}}});
    }
    if (random() % 2 == 0) {
      test_.files.fail(kOperations[random() % std::size(kOperations)], EIO, random() % 8, 1);
    }
    int tries = 0;
    while (!put(*sink, events).ok()) {
      ASSERT_LT(++tries, 50);
    }
    for (const TestEvent& event : events) {
      want[event.body] = 1;
    }
    test_.clock.advance(std::chrono::seconds(random() % 4));
  }
  test_.files.heal();
  test_.clock.advance(300s);  // By then it is time to try again for each file.
  ASSERT_TRUE(sink->idle().ok());
  sink->stop();
  EXPECT_EQ(lines(), want);
  for (const auto& [path, text] : files()) {
    EXPECT_FALSE(path.ends_with(".tmp")) << path;
  }
}

// Drives the sink as SinkDrain does. The process is killed before each call of the file system in
// turn, or the power is cut; `committed` is what the channel remembers.
class HdfsExactlyOnce : public HdfsSinkTest, public ::testing::WithParamInterface<bool> {
 protected:
  static Keys keys(const std::string& folder) {
    return {{"hdfs.path", "file://" + folder + "/%{app}"},
            {"hdfs.delivery", "exactly-once"},
            {"hdfs.rollCount", "3"},
            {"hdfs.rollInterval", "20"}};
  }
  Result<> run(Sink& sink, std::size_t& done, std::string& committed) {
    ExactlyOnce& once = *sink.exactly_once();
    TRY(once.recover(committed));
    while (done < 12) {
      TRY(sink.idle());
      std::vector<TestEvent> events;
      for (std::size_t i = 0; i < 4; ++i) {
        events.push_back({std::to_string(done * 4 + i), {{"app", i % 2 == 0 ? "even" : "odd"}}});
      }
      Rejects rejects;
      TRY(sink.deliver(*test_.slabs.batch_of(events), rejects));
      committed = TRY(once.prepare(done == 11));
      ++done;
      TRY(once.publish());
      test_.clock.advance(7s);
    }
    return {};
  }
};

// What one delivery left open, the other finishes: all of it may be committed.
TEST_F(HdfsSinkTest, KeepsFilesWhenTheDeliveryIsChanged) {
  const Keys once{{"hdfs.delivery", "exactly-once"}};
  auto sink = started(kNeverRoll);
  ASSERT_TRUE(put_bodies(*sink, {"a"}).ok());
  test_.files.end_process();
  test_.clock.advance(1s);
  sink = started(with(kNeverRoll, once));
  ASSERT_TRUE(sink->exactly_once()->recover("").ok());
  ASSERT_TRUE(sink->idle().ok());
  EXPECT_EQ(lines(), (std::map<std::string, int>{{"a", 1}}));
  Rejects rejects;
  ASSERT_TRUE(sink->deliver(*test_.slabs.batch_of_bodies({"b"}), rejects).ok());
  ASSERT_TRUE(sink->exactly_once()->prepare(false).ok());
  test_.files.end_process();
  test_.clock.advance(1s);
  sink = started(kNeverRoll);
  ASSERT_TRUE(sink->idle().ok());
  EXPECT_EQ(lines(), (std::map<std::string, int>{{"a", 1}, {"b", 1}}));
}

TEST_P(HdfsExactlyOnce, HoldsEachEventOnceWhereverItIsKilled) {
  const bool power = GetParam();
  std::uint64_t kill_at = 0;
  for (bool was_killed = true; was_killed; kill_at += 3) {
    SCOPED_TRACE(kill_at);
    const std::string folder = "/out/" + std::to_string(kill_at);
    std::size_t done = 0;
    std::string committed;
    was_killed = false;
    const std::uint64_t at = test_.files.operations() + kill_at;
    test_.files.on_operation([&](const FakeFileSystem::Call& call) {
      if (!was_killed && call.number >= at) {
        was_killed = true;
        test_.files.cut_power();
      }
    });
    auto made = prepared(keys(folder));
    ASSERT_TRUE(made.has_value()) << findings_;
    while (done < 12) {
      auto sink = made->make(SinkContext{"k1", test_.services, metrics_, true});
      if (sink->start().ok()) {
        (void)run(*sink, done, committed);
      }
      sink.reset();
      power ? test_.files.restore_power() : test_.files.end_process();
    }
    test_.files.on_operation({});
    auto sink = made->make(SinkContext{"k1", test_.services, metrics_, true});
    ASSERT_TRUE(sink->start().ok());
    ASSERT_TRUE(sink->exactly_once()->recover(committed).ok());
    sink.reset();
    std::map<std::string, int> want;
    for (int i = 0; i < 48; ++i) {
      want[std::to_string(i)] = 1;
    }
    ASSERT_EQ(lines(folder), want);
    for (const auto& [path, text] : files(folder)) {
      ASSERT_FALSE(path.ends_with(".tmp")) << path;
    }
  }
  EXPECT_EQ(metric("FilesLostCount"), 0U);
  EXPECT_GT(kill_at, 100U);
}

INSTANTIATE_TEST_SUITE_P(Ways, HdfsExactlyOnce, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "Power" : "Kill"; });

}  // namespace
}  // namespace millrace
