#include "source/spooldir/spooldir_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "io/temp_folder.h"
#include "source/source_fixture.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_kit::eventually;

class SpooldirSourceTest : public SourceFixture {
 protected:
  using More = std::map<std::string, std::string>;

  SpooldirSourceTest() { fs::create_directory(folder / "spool"); }

  fs::path at(std::string_view name) const { return folder / "spool" / name; }
  fs::path tracker() const { return at(".flumespool/.flumespool-main.meta"); }
  // The older, the sooner it is read.
  void put_in(std::string_view name, std::string_view text, int age = 0) const {
    std::ofstream(folder / "part", std::ios::binary) << text;
    fs::last_write_time(folder / "part", now_ - seconds(age));
    fs::rename(folder / "part", at(name));
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  SpooldirSource& spool(const More& more = {}) {
    std::map<std::string, std::string> keys{{"spoolDir", (folder / "spool").string()},
                                            {"pollDelay", "5"}};
    for (const auto& [key, value] : more) {
      keys[key] = value;
    }
    return start<SpooldirSource>({keys.begin(), keys.end()});
  }
  void stop(SpooldirSource& source) {
    source.stop(clock.steady() + seconds(10));
    collect();
  }
  std::vector<std::string> lines(std::size_t count) {
    EXPECT_TRUE(collected(count)) << "of " << count << " events came " << events.size();
    return bodies();
  }
  bool is_done(std::string_view name) const {
    return eventually([&] { return fs::exists(at(std::string(name) + ".COMPLETED")); });
  }

  const fs::file_time_type now_ = fs::file_time_type::clock::now();
  const TempFolder folder;
};

TEST_F(SpooldirSourceTest, ReadsFilesFromTheOldestOnAndMarksThem) {
  put_in("b", "three\n\nfour", 10);
  put_in("a", "one\ntwo\r\n", 20);
  put_in("aa", "0\n", 20);
  spool();
  EXPECT_THAT(lines(6), ElementsAre("one", "two\r", "0", "three", "", "four"));
  EXPECT_TRUE(is_done("b"));
  put_in("c", "five\n");
  EXPECT_EQ(lines(7).back(), "five");
  EXPECT_TRUE(is_done("c"));
  EXPECT_FALSE(fs::exists(tracker()));
}

// Flume's testBatchedReadsAcrossFileBoundary.
TEST_F(SpooldirSourceTest, ABatchHasEventsOfOneFile) {
  put_in("a", "1\n2\n3\n4\n5\n6\n7\n8\n", 2);
  put_in("b", "1\n2\n3\n4\n5\n6\n7\n8\n", 1);
  spool({{"batchSize", "5"}});
  lines(16);
  EXPECT_THAT(batch_sizes, ElementsAre(5, 3, 5, 3));
}

TEST_F(SpooldirSourceTest, TheYoungestFirst) {
  put_in("old", "old\n", 20);
  put_in("z", "z\n");
  put_in("y", "y\n");
  spool({{"consumeOrder", "youngest"}});
  EXPECT_THAT(lines(3), ElementsAre("y", "z", "old"));
}

TEST_F(SpooldirSourceTest, AnEmptyFileIsAnEmptyEvent) {
  put_in("a", "", 3);
  put_in("b", "x\n", 2);
  put_in("c", "", 1);
  spool({{"basenameHeader", "true"}, {"fileHeader", "true"}});
  EXPECT_THAT(lines(3), ElementsAre("", "x", ""));
  EXPECT_EQ(events[2].headers["basename"], "c");
  EXPECT_EQ(events[2].headers["file"], at("c").string());
}

// Case from the field: an empty event behind a line of the limit, a torn wide character.
TEST_F(SpooldirSourceTest, CutsLongLinesIntoWholeCharacters) {
  const std::string rocket = "\xF0\x9F\x9A\x80";
  const std::string e19(19, 'e');
  put_in("a", std::string(20, 'b') + "\n" + std::string(41, 'd') + "\n" + e19 + rocket + "tail\n" +
                  std::string(20, 'f'));
  spool({{"deserializer.maxLineLength", "20"}});
  EXPECT_THAT(lines(7),
              ElementsAre(std::string(20, 'b'), std::string(20, 'd'), std::string(20, 'd'), "d",
                          e19 + rocket, "tail", std::string(20, 'f')));
  EXPECT_TRUE(is_done("a"));
  EXPECT_EQ(events.size(), 7u);
}

// Method: random lines around the sizes of reads and the longest line, in whatever batches.
TEST_F(SpooldirSourceTest, LosesNothingOfALargeFile) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  std::vector<std::string> want;
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t length = i % 4000 == 77 ? 400'000 : random() % 300;
    want.push_back(std::to_string(i) + "\xC3\xA4" + std::string(length, 'x'));
    text += want.back() + "\n";
  }
  put_in("a", text);
  spool({{"batchSize", std::to_string(1 + random() % 1000)},
         {"deserializer.maxLineLength", "1000000"}});
  EXPECT_EQ(lines(want.size()), want);
}

TEST_F(SpooldirSourceTest, SetsAsideAFileThatIsNoTextAndGoesOn) {
  put_in("a", "one\ntw\xFFo\nthree\n", 2);
  put_in("b", "four\n", 1);
  SpooldirSource& source = spool();
  EXPECT_THAT(lines(2), ElementsAre("one", "four"));
  EXPECT_TRUE(is_done("b"));
  EXPECT_THAT(source.health().error().message(), HasSubstr("byte 6 is no UTF-8"));
  EXPECT_EQ(metric("EventReadFail"), 1u);
  fs::remove(at("a"));
  EXPECT_TRUE(eventually([&] { return source.health().ok(); }));
}

TEST_F(SpooldirSourceTest, ReplacesOrLeavesOutWhatIsNoText) {
  put_in("a", "tw\xFFo \xE2\x82\n\xC3");
  SpooldirSource& source = spool({{"decodeErrorPolicy", "replace"}});
  EXPECT_THAT(lines(2), ElementsAre("tw\uFFFDo \uFFFD", "\uFFFD"));
  EXPECT_TRUE(is_done("a"));
  stop(source);
  events.clear();
  put_in("b", "tw\xFFo \xE2\x82\n");
  spool({{"decodeErrorPolicy", "IGNORE"}});
  EXPECT_THAT(lines(1), ElementsAre("two "));
}

// Case from the field; Flume's testDestinationExists*.
TEST_F(SpooldirSourceTest, NeverReplacesAFinishedFile) {
  put_in("x.COMPLETED", "old\n");
  put_in("x", "new\n", 2);
  put_in("y", "other\n", 1);
  SpooldirSource& source = spool();
  EXPECT_THAT(lines(2), ElementsAre("new", "other"));
  EXPECT_TRUE(is_done("y"));
  EXPECT_THAT(source.health().error().message(), HasSubstr("the name was used before"));
  EXPECT_EQ(text_of(at("x.COMPLETED")), "old\n");
  EXPECT_EQ(text_of(at("x")), "new\n");
}

// Case from the field; Flume's testFileChangesDuringRead.
TEST_F(SpooldirSourceTest, SetsAsideAFileThatGrowsWhileItIsRead) {
  use_channel(std::make_shared<CollectingChannel>(1, 1));
  put_in("x", "one\ntwo\nthree\n", 2);
  SpooldirSource& source = spool({{"batchSize", "1"}});
  ASSERT_TRUE(collected(1));
  std::ofstream(at("x"), std::ios::app) << "late\n";
  EXPECT_THAT(lines(3), ElementsAre("one", "two", "three"));
  EXPECT_TRUE(eventually([&] { return !source.health().ok(); }));
  EXPECT_THAT(source.health().error().message(), HasSubstr("changed size"));
  EXPECT_FALSE(fs::exists(at("x.COMPLETED")));
}

TEST_F(SpooldirSourceTest, PatternsAndHiddenFilesAndFolders) {
  fs::create_directories(at("sub"));
  fs::create_directories(at(".hidden"));
  put_in("a.log", "a\n", 9);
  put_in("b.log", "no\n", 9);
  put_in("c.txt", "no\n", 9);
  put_in(".d.log", "no\n", 9);
  put_in("e.log.COMPLETED", "no\n", 9);
  put_in("sub/f.log", "f\n", 8);
  put_in(".hidden/g.log", "no\n", 7);
  put_in("z.log", "z\n");
  spool({{"includePattern", ".*\\.log"},
         {"ignorePattern", "b.*"},
         {"recursiveDirectorySearch", "true"}});
  EXPECT_THAT(lines(3), ElementsAre("a", "f", "z"));
}

// Two such links lead to more names than can ever be looked at.
TEST_F(SpooldirSourceTest, ALinkThatLeadsBackUpIsNotFollowed) {
  fs::create_directories(at("sub"));
  fs::create_directory_symlink("..", at("sub/up"));
  fs::create_directory_symlink(".", at("sub/here"));
  put_in("sub/a", "a\n");
  SpooldirSource& source = spool({{"recursiveDirectorySearch", "true"},
                                  {"trackingPolicy", "tracker_dir"},
                                  {"trackerDir", (folder / "t").string()}});
  EXPECT_THAT(lines(1), ElementsAre("a"));
  EXPECT_TRUE(eventually([&] { return fs::exists(folder / "t/sub/a.COMPLETED"); }));
  stop(source);
  EXPECT_THAT(bodies(), ElementsAre("a"));
}

TEST_F(SpooldirSourceTest, DeletesWhatIsDone) {
  put_in("a", "a\n");
  spool({{"deletePolicy", "IMMEDIATE"}});
  lines(1);
  EXPECT_TRUE(eventually([&] { return !fs::exists(at("a")); }));
}

TEST_F(SpooldirSourceTest, MarksInTheTrackerDir) {
  put_in("a", "a\n");
  const More keys{{"trackingPolicy", "tracker_dir"}, {"trackerDir", (folder / "t").string()}};
  SpooldirSource& source = spool(keys);
  lines(1);
  EXPECT_TRUE(eventually([&] { return fs::exists(folder / "t/a.COMPLETED"); }));
  stop(source);
  put_in("b", "b\n");
  spool(keys);
  EXPECT_THAT(lines(2), ElementsAre("a", "b"));
}

// Flume's testBasicCommitFailureAndBatchSizeChanges: only what the channel has committed counts.
TEST_F(SpooldirSourceTest, GoesOnBehindWhatIsCommitted) {
  use_channel(std::make_shared<CollectingChannel>(2, 2));
  put_in("a", "1\n2\n3\n4\n5\n6\n7\n", 1);
  SpooldirSource& source = spool({{"batchSize", "2"}});
  ASSERT_TRUE(collected(2));
  ASSERT_TRUE(eventually([&] { return fs::exists(tracker()); }));
  source.stop(clock.steady());
  collect();
  const std::size_t before = events.size();
  ASSERT_LT(before, 7u);
  use_channel(std::make_shared<CollectingChannel>());
  put_in("0", "older\n", 100);
  spool({{"batchSize", "3"}});
  EXPECT_THAT(lines(8), ElementsAre("1", "2", "3", "4", "5", "6", "7", "older"));
}

// Goal: a kill repeats no more than the batch on its way. Method: the channel answers by hand.
TEST_F(SpooldirSourceTest, OneBatchIsOnItsWay) {
  channel->hold_answers();
  put_in("a", "1\n2\n3\n");
  spool({{"batchSize", "1"}});
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 1; }));
  collect();
  EXPECT_EQ(events.size(), 1u);
  EXPECT_FALSE(fs::exists(tracker()));
  channel->answer({});
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 1; }));
  const auto position = parse_tracker(text_of(tracker()));
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(position.value().offset, 2u);
  EXPECT_EQ(position.value().path, at("a").string());
  channel->answer({});
  ASSERT_TRUE(eventually([&] { return channel->unanswered() == 1; }));
  channel->answer({});
  EXPECT_TRUE(is_done("a"));
}

// Flume's testZeroByteTrackerFile.
TEST_F(SpooldirSourceTest, StartsWithAnEmptyOrBrokenTracker) {
  fs::create_directory(at(".flumespool"));
  std::ofstream(tracker()) << "";
  put_in("a", "a\n");
  SpooldirSource& source = spool();
  lines(1);
  stop(source);
  std::ofstream(tracker()) << "Obj";
  put_in("b", "b\n");
  spool();
  EXPECT_THAT(lines(2), ElementsAre("a", "b"));
}

TEST_F(SpooldirSourceTest, TracksInAFolderThatWasMadeAnew) {
  spool({{"batchSize", "1"}});
  put_in("a", "1\n");
  lines(1);
  ASSERT_TRUE(is_done("a"));
  fs::remove_all(folder / "spool");
  fs::create_directory(folder / "spool");
  put_in("b", "1\n2\n3\n");
  lines(4);
  EXPECT_TRUE(is_done("b"));
  EXPECT_TRUE(fs::exists(at(".flumespool")));
}

// Goal: the records of Avro files come with their schema and the names of their file; a file that
// is none is set aside, and the others go on.
TEST_F(SpooldirSourceTest, ReadsAvroFiles) {
  const auto golden = [](std::string_view name) {
    return text_of(MILLRACE_SOURCE_DIR "/tests/golden/spooldir/" + std::string(name));
  };
  put_in("a.avro", golden("types-snappy.avro"), 9);
  put_in("b.avro", "no container\n", 8);
  put_in("c.avro", golden("types-null.avro"), 7);
  SpooldirSource& source =
      spool({{"deserializer", "AVRO"}, {"basenameHeader", "true"}, {"batchSize", "7"}});
  EXPECT_TRUE(collected(80));
  EXPECT_TRUE(is_done("c.avro"));
  EXPECT_EQ(events.size(), 80u);
  EXPECT_EQ(events[40].headers["basename"], "c.avro");
  EXPECT_EQ(events[40].headers["flume.avro.schema.hash"].size(), 16u);
  EXPECT_EQ(events[40].body, events[0].body);
  EXPECT_THAT(source.health().error().message(), HasSubstr("b.avro"));
}

TEST_F(SpooldirSourceTest, ReadsFilesAsBlobs) {
  put_in("a", "line 1\nline 2\n", 9);
  put_in("b", "", 8);
  spool({{"deserializer", "org.apache.flume.sink.solr.morphline.BlobDeserializer$Builder"},
         {"deserializer.maxBlobLength", "10"}});
  EXPECT_THAT(lines(3), ElementsAre("line 1\nlin", "e 2\n", ""));
  EXPECT_TRUE(is_done("b"));
}

TEST_F(SpooldirSourceTest, ReadsAnotherCharset) {
  put_in("a",
         "gr\xFC\xDF"
         "e\n\x80 5\n");
  spool({{"inputCharset", "windows-1252"}});
  EXPECT_THAT(lines(2), ElementsAre("gr\u00fc\u00dfe", "\u20ac 5"));
  EXPECT_TRUE(is_done("a"));
}

TEST_F(SpooldirSourceTest, TakesTheOldKeyForLinesAlone) {
  put_in("a", "abcdef\n");
  spool({{"bufferMaxLineLength", "4"}});
  EXPECT_THAT(lines(2), ElementsAre("abcd", "ef"));
}

TEST_F(SpooldirSourceTest, WaitsForItsFolder) {
  auto source = make<SpooldirSource>({{"spoolDir", "/no/such/folder"}});
  const Result<> started = source->start();
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().fault(), Fault::kTransient);
}

TEST_F(SpooldirSourceTest, RefusesBadKeys) {
  EXPECT_EQ(faults<SpooldirSource>({}), 1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"ignorePattern", "("}}), 1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"deserializer", "JSON"}}), 1u);
  EXPECT_EQ(faults<SpooldirSource>(
                {{"spoolDir", "/x"}, {"deserializer", "avro"}, {"deserializer.schemaType", "URL"}}),
            1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"deserializer.maxLineLength", "0"}}), 1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"inputCharset", "UTF-17"}}), 1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"inputCharset", "ISO-2022-JP"}}), 1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"fileSuffix", ""}}), 1u);
  EXPECT_EQ(faults<SpooldirSource>({{"spoolDir", "/x"}, {"fileSuffix", "/done"}}), 1u);
}

}  // namespace
}  // namespace millrace
