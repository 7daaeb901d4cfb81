#include "source/exec/exec_source.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <fstream>
#include <random>

#include "io/temp_folder.h"
#include "source/exec/find_line_end.h"
#include "source/source_fixture.h"

namespace millrace {
namespace {

using testing_kit::eventually;
using Strings = std::vector<std::string>;

bool is_running(pid_t id) {
  return ::kill(id, 0) == 0 || errno == EPERM;
}

class ExecSourceTest : public SourceFixture {
 protected:
  ExecSource& start_shell(std::string_view command, Keys more = {}) {
    more.insert(more.end(), {{"shell", "/bin/sh -c"}, {"command", command}});
    return start<ExecSource>(more);
  }
};

TEST(FindLineEndTest, FindsTheFirstEndAnywhere) {
  std::string bytes(200, 'x');
  for (std::size_t begin = 0; begin < 70; ++begin) {
    for (std::size_t at = begin; at < 200; ++at) {
      for (const char end : {'\n', '\r'}) {
        bytes[at] = end;
        EXPECT_EQ(find_line_end(&bytes[begin], bytes.data() + 200), &bytes[at]);
        bytes[at] = 'x';
      }
    }
    EXPECT_EQ(find_line_end(&bytes[begin], bytes.data() + 200), bytes.data() + 200);
  }
}

TEST_F(ExecSourceTest, TakesLinesWithAnyEndAndTheLastOneWithoutOne) {
  start_shell(R"(printf 'one\ntwo\r\nthree\rfour\n\nf\0ve\377')");
  ASSERT_TRUE(collected(6));
  EXPECT_EQ(bodies(), (Strings{"one", "two", "three", "four", "", std::string("f\0ve\xff", 5)}));
}

TEST_F(ExecSourceTest, SplitsTheCommandAtBlanksWithoutAShell) {
  start<ExecSource>({{"command", "echo  'a b'   $HOME"}});
  ASSERT_TRUE(collected(1));
  EXPECT_EQ(bodies(), (Strings{"'a b' $HOME"}));
}

// Flume: TestExecSource#testBatchTimeout, where three lines of a batch of 50,000 come within 1.5 s.
TEST_F(ExecSourceTest, NoLineWaitsForTheRestOfItsBatch) {
  use_channel(std::make_shared<CollectingChannel>(1'000'000, 50'000));
  const auto began = std::chrono::steady_clock::now();
  start_shell("echo 1; echo 2; echo 3; sleep 30",
              {{"batchSize", "50000"}, {"batchTimeout", "750"}});
  ASSERT_TRUE(collected(3));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(1500));
  EXPECT_EQ(bodies(), (Strings{"1", "2", "3"}));
}

TEST_F(ExecSourceTest, JoinsLinesThatComeInPieces) {
  start_shell(R"(printf 'ab\r'; sleep 0.1; printf '\ncd'; sleep 0.1; printf 'ef\n'; sleep 30)");
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(bodies(), (Strings{"ab", "cdef"}));
}

// Goal: lines come whole and in order however reads cut them, in puts of the batch size at most.
// Method: a file of random lines, longer than a slab some of them.
TEST_F(ExecSourceTest, LosesNothingOfALongOutput) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  use_channel(std::make_shared<CollectingChannel>(1000, 1000));
  Strings want;
  const TempFolder folder;
  const std::string path = (folder / "lines").string();
  {
    std::ofstream file(path, std::ios::binary);
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t length = i % 5000 == 77 ? 600'000 : random() % 300;
      want.push_back(std::to_string(i) + std::string(length, static_cast<char>('a' + i % 26)));
      file << want.back() << (random() % 2 == 0 ? "\n" : "\r\n");
    }
  }
  const std::string command = "cat " + path;
  start<ExecSource>({{"command", command}, {"batchSize", "100"}});
  ASSERT_TRUE(collected(want.size()));
  EXPECT_EQ(bodies(), want);
  for (const std::size_t size : batch_sizes) {
    EXPECT_LE(size, 100u);
  }
}

TEST_F(ExecSourceTest, CutsALineWithoutEnd) {
  limit_memory(std::size_t{256} << 20);
  start_shell("head -c 20000000 /dev/zero; echo; echo next");
  ASSERT_TRUE(collected(3));
  EXPECT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].body.size() + events[1].body.size(), 20'000'000u);
  EXPECT_EQ(events[2].body, "next");
  EXPECT_EQ(metric("IncompleteEventCount"), 1u);
}

// Goal: no empty event behind a line of just that length, though its end comes later.
TEST_F(ExecSourceTest, ALineOfTheLongestLengthIsOneEvent) {
  limit_memory(std::size_t{256} << 20);
  start_shell("head -c 16777216 /dev/zero; sleep 0.1; echo; echo next; sleep 30");
  ASSERT_TRUE(collected(2));
  EXPECT_EQ(events[0].body.size(), ExecSource::kLongestLine);
  EXPECT_EQ(events[1].body, "next");
  EXPECT_EQ(metric("IncompleteEventCount"), 0u);
}

TEST_F(ExecSourceTest, WaitsWhileTheMemoryForEventsIsSpent) {
  limit_memory(SlabPool::kSlabBytes * 3);
  start<ExecSource>({{"command", "seq 400000"}});
  EXPECT_TRUE(waits_for_memory());
  ASSERT_TRUE(collected(400'000));
  EXPECT_EQ(events.back().body, "400000");
  EXPECT_TRUE(has_memory());
}

TEST_F(ExecSourceTest, StartsTheCommandAgain) {
  start_shell("echo again; kill -9 $$", {{"restart", "true"}, {"restartThrottle", "10"}});
  ASSERT_TRUE(collected(3));
  EXPECT_GE(metric("CommandFailCount"), 2u);
}

// Goal: an empty first line counts, although the output of the run before ended in '\r'.
TEST_F(ExecSourceTest, ARunOwesNothingToTheOneBefore) {
  start_shell(R"(printf '\nlast\r')", {{"restart", "true"}, {"restartThrottle", "1"}});
  ASSERT_TRUE(collected(4));
  const Strings all = bodies();
  EXPECT_EQ(Strings(all.begin(), all.begin() + 4), (Strings{"", "last", "", "last"}));
}

TEST_F(ExecSourceTest, SaysThatACommandCannotBeStarted) {
  ExecSource& source = start<ExecSource>(
      {{"command", "/no/such/command"}, {"restart", "true"}, {"restartThrottle", "1"}});
  EXPECT_TRUE(eventually([&] { return metric("CommandFailCount") >= 2; }));
  ASSERT_FALSE(source.health().ok());
  EXPECT_NE(source.health().error().message().find("/no/such/command"), std::string::npos);
}

TEST_F(ExecSourceTest, IsWellAgainOnceTheCommandRuns) {
  const TempFolder folder;
  const std::string mark = (folder / "mark").string();
  ExecSource& source = start_shell("if [ -e " + mark + " ]; then echo well; sleep 1000; fi; exit 3",
                                   {{"restart", "true"}, {"restartThrottle", "1"}});
  EXPECT_TRUE(eventually([&] { return !source.health().ok(); }));
  std::ofstream(mark).put('x');
  ASSERT_TRUE(collected(1));
  EXPECT_TRUE(source.health().ok());
}

TEST_F(ExecSourceTest, ACommandThatIsThroughIsNoFault) {
  ExecSource& source = start_shell("echo done");
  ASSERT_TRUE(collected(1));
  EXPECT_TRUE(source.health().ok());
}

TEST_F(ExecSourceTest, DrainsTheErrorOutput) {
  start_shell("head -c 3000000 /dev/zero >&2; echo done", {{"logStdErr", "false"}});
  EXPECT_TRUE(collected(1));
}

// Case from the field: children were left behind by the agent.
TEST_F(ExecSourceTest, EndsTheWholeProcessGroup) {
  ExecSource& source = start_shell("trap '' TERM; sleep 1000 & echo $! $$; sleep 1000 | cat; wait");
  ASSERT_TRUE(collected(1));
  const std::string ids = events[0].body;
  const pid_t background = std::stoi(ids);
  const pid_t shell = std::stoi(ids.substr(ids.find(' ')));
  EXPECT_TRUE(is_running(background));
  source.stop(clock.steady() + std::chrono::milliseconds(300));
  EXPECT_TRUE(eventually([&] { return !is_running(background); }));
  EXPECT_FALSE(is_running(shell));  // Reaped.
}

TEST_F(ExecSourceTest, TakesInWhatACommandSaysWhenItIsEnded) {
  ExecSource& source =
      start_shell("trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.01; done");
  ASSERT_TRUE(collected(1));
  source.stop(clock.steady() + std::chrono::seconds(10));
  collect();
  EXPECT_EQ(bodies(), (Strings{"up", "bye"}));
}

TEST_F(ExecSourceTest, StopsInTimeWhileTheChannelIsFull) {
  use_channel(std::make_shared<CollectingChannel>(10, 10));
  ExecSource& source = start_shell("while :; do echo y; done");
  ASSERT_TRUE(eventually([&] { return !channel->collect().empty(); }));
  const auto begin = clock.steady();
  source.stop(begin + std::chrono::milliseconds(200));
  EXPECT_LT(clock.steady() - begin, std::chrono::seconds(5));
}

TEST_F(ExecSourceTest, RefusesBadKeys) {
  EXPECT_EQ(faults<ExecSource>({}), 1u);
  EXPECT_EQ(faults<ExecSource>({{"command", "  "}}), 1u);
  EXPECT_EQ(faults<ExecSource>({{"command", "x"}, {"charset", "no such"}}), 1u);
  EXPECT_EQ(faults<ExecSource>({{"command", "x"}, {"charset", "UTF-16"}}), 1u);
  EXPECT_EQ(faults<ExecSource>({{"command", "x"}, {"charset", "ISO-8859-1"}}), 0u);
}

}  // namespace
}  // namespace millrace
