#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/cli.h"

namespace millrace {
namespace {

// Runs `millrace check` on a file with this text.
class CheckTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int check(const std::string& text, std::vector<std::string> options = {}) {
    const std::filesystem::path file = folder_ / "agent.conf";
    std::ofstream(file) << text;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    options.insert(options.begin(), {"check", file.string()});
    const int status = run_program(options);
    printed_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    return status;
  }
  bool says(std::string_view text) const { return printed_.find(text) != std::string::npos; }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("check_test-" + std::to_string(::getpid()));
  std::string printed_;
};

// One flow of the syslog soak that Cloudera published in 2012, with its lists and a required key.
TEST_F(CheckTest, PassesTheSoakTestsFlow) {
  EXPECT_EQ(check("agent.sources = svc_0_src\n"
                  "agent.channels = svc_0_chan\n"
                  "agent.sinks = svc_0_sink\n"
                  "agent.channels.svc_0_chan.type = memory\n"
                  "agent.channels.svc_0_chan.capacity = 100000\n"
                  "agent.channels.svc_0_chan.transactionCapacity = 1000\n"
                  "agent.sources.svc_0_src.type = org.apache.flume.source.SyslogTcpSource\n"
                  "agent.sources.svc_0_src.port = 10001\n"
                  "agent.sources.svc_0_src.channels = svc_0_chan\n"
                  "agent.sinks.svc_0_sink.type = hdfs\n"
                  "agent.sinks.svc_0_sink.hdfs.path = hdfs://namenode.example.org/service/flow0\n"
                  "agent.sinks.svc_0_sink.hdfs.fileType = DataStream\n"
                  "agent.sinks.svc_0_sink.hdfs.batchSize = 1000\n"
                  "agent.sinks.svc_0_sink.hdfs.txnEventMax = 1000\n"
                  "agent.sinks.svc_0_sink.serializer = avro_event\n"
                  "agent.sinks.svc_0_sink.serializer.compressionCodec = snappy\n"
                  "agent.sinks.svc_0_sink.channel = svc_0_chan\n"),
            kDone)
      << printed_;
  EXPECT_TRUE(says("hdfs.txnEventMax = \"1000\": has no effect")) << printed_;
}

TEST_F(CheckTest, NamesWhatIsNotBuiltInYet) {
  EXPECT_EQ(check("a1.sources = r1\na1.channels = c1\na1.sinks = k1\n"
                  "a1.sources.r1.type = seq\na1.sources.r1.channels = c1\n"
                  "a1.channels.c1.type = memory\n"
                  "a1.sinks.k1.type = hive\na1.sinks.k1.channel = c1\n"),
            kDone);
  EXPECT_TRUE(
      says("agent.conf:7: warning: a1.sinks.k1.type = \"hive\": this component of Flume is "
           "not built in yet"))
      << printed_;
}

// Two channels behind a round-robin selector from a jar of a site's own.
TEST_F(CheckTest, PassesARoundRobinFanOut) {
  EXPECT_EQ(check("agent.sources = source1\n"
                  "agent.sinks = sink1 sink2\n"
                  "agent.channels = channel1 channel2\n"
                  "agent.sources.source1.type = seq\n"
                  "agent.sources.source1.channels = channel1 channel2\n"
                  "agent.sources.source1.selector.type = com.sars.flume.RoundRobinChannelSelector\n"
                  "agent.channels.channel1.type = memory\n"
                  "agent.channels.channel2.type = memory\n"
                  "agent.channels.channel1.capacity = 100000\n"
                  "agent.channels.channel1.transactionCapacity = 10000\n"
                  "agent.sinks.sink1.type = null\n"
                  "agent.sinks.sink2.type = null\n"
                  "agent.sinks.sink1.batchSize = 10000\n"
                  "agent.sinks.sink1.batchDurationMillis = 10000\n"
                  "agent.sinks.sink1.channel = channel1\n"
                  "agent.sinks.sink2.channel = channel2\n"),
            kDone)
      << printed_;
  EXPECT_TRUE(says("channel1 -> sink sink1")) << printed_;
}

// `-f <(envsubst < agent.conf)` of a shell, and the links by which releases are switched.
TEST_F(CheckTest, ReadsFromAPipeAndBehindALink) {
  const std::string text =
      "a1.sources = r1\na1.channels = c1\na1.sources.r1.type = seq\n"
      "a1.sources.r1.channels = c1\na1.channels.c1.type = memory\n# " +
      std::string(20'000, '#') + "\na1.channels.c1.capacity = 4321\n";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_program({"check", "-f", "/dev/fd/" + std::to_string(ends[0])}), kDone);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("4321"), std::string::npos);
  ::close(ends[0]);

  std::ofstream(folder_ / "release-7.conf") << text;
  std::filesystem::create_symlink("release-7.conf", folder_ / "current.conf");
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_program({"check", "-f", (folder_ / "current.conf").string()}), kDone);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("4321"), std::string::npos);
}

TEST_F(CheckTest, ReadsNoDeviceWithoutAnEnd) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_program({"check", "/dev/zero"}), kBadConfiguration);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("longer than 16 MiB"), std::string::npos);
}

TEST_F(CheckTest, SaysAllFaultsAtOnceAndEndsWith78) {
  EXPECT_EQ(check("a1.sources = r1\n"
                  "a1.channels = c1\n"
                  "a1.sinks = k1\n"
                  "a1.sources.r1.type = netcat\n"
                  "a1.sources.r1.bind = 127.0.0.1\n"
                  "a1.sources.r1.port = 21041 # main\n"
                  "a1.sources.r1.channels = c1\n"
                  "a1.channels.c1.type = memory\n"
                  "a1.channels.c1.capactiy = 10\n"
                  "a1.sinks.k1.type = file_rol\n"
                  "a1.sinks.k1.channel = c1\n"),
            kBadConfiguration);
  EXPECT_TRUE(says("agent.conf:6: error: a1.sources.r1.port = \"21041 # main\"")) << printed_;
  EXPECT_TRUE(says("agent.conf:9: warning: a1.channels.c1.capactiy")) << printed_;
  EXPECT_TRUE(says("did you mean \"capacity\"?")) << printed_;
  EXPECT_TRUE(says("did you mean \"file_roll\"?")) << printed_;
}

// Left at their defaults, or copied from a line above: the second could never start.
TEST_F(CheckTest, SaysWhatTwoPartsCannotBothHave) {
  const auto flow = [](const std::string& n, const std::string& source) {
    return "a1.sources.r" + n + ".channels = c" + n + "\n" + source + "a1.channels.c" + n +
           ".type = file\na1.sinks.k" + n + ".type = null\na1.sinks.k" + n + ".channel = c" + n +
           "\n";
  };
  const std::string lists = "a1.sources = r1 r2\na1.channels = c1 c2\na1.sinks = k1 k2\n";
  const auto tail = [](const std::string& name) {
    return "a1.sources." + name + ".type = TAILDIR\na1.sources." + name +
           ".filegroups = f\na1.sources." + name + ".filegroups.f = /x/.*log\n";
  };
  EXPECT_EQ(check(lists + flow("1", tail("r1")) + flow("2", tail("r2"))), kBadConfiguration);
  EXPECT_TRUE(says("a1.channels.c2.dataDirs: the folder ")) << printed_;
  EXPECT_TRUE(says("a1.channels.c2.checkpointDir: the folder ")) << printed_;
  EXPECT_TRUE(says("/.flume/taildir_position.json is for one alone, and source r1 has it"))
      << printed_;
  const auto netcat = [](const std::string& name, const std::string& port) {
    return "a1.sources." + name + ".type = netcat\na1.sources." + name + ".bind = ::\na1.sources." +
           name + ".port = " + port + "\na1.channels.c" + name.substr(1) + ".checkpointDir = /x/" +
           name + "\na1.channels.c" + name.substr(1) + ".dataDirs = /x/d" + name + "\n";
  };
  EXPECT_EQ(check(lists + flow("1", netcat("r1", "44")) + flow("2", netcat("r2", "44"))),
            kBadConfiguration);
  EXPECT_TRUE(says("TCP port 44 of :: is for one alone, and source r1 has it")) << printed_;
  EXPECT_EQ(check(lists + flow("1", netcat("r1", "44")) + flow("2", netcat("r2", "45"))), kDone)
      << printed_;
  EXPECT_EQ(check(lists + flow("1", netcat("r1", "0")) + flow("2", netcat("r2", "0"))), kDone)
      << printed_;
}

TEST_F(CheckTest, WarnsOfKeysAndWordsWithoutEffect) {
  EXPECT_EQ(check("a1.sources = r1\na1.channels = c1\na1.sinks = k1\n"
                  "a1.sources.r1.type = syslogudp\na1.sources.r1.port = 5140\n"
                  "a1.sources.r1.channels = c1\na1.sources.r1.interceptors = stamp\n"
                  "a1.sources.r1.interceptors.stamp.type = timestamp\n"
                  "a1.sources.r1.interceptors.stmp.header = when\n"
                  "a1.sources.r1.keepFields = priority hostnam\n"
                  "a1.channels.c1.type = memory\na1.sinks.k1.type = null\n"
                  "a1.sinks.k1.channel = c1\n"),
            kDone);
  EXPECT_TRUE(says("did you mean \"stamp\"?")) << printed_;
  EXPECT_TRUE(says("\"hostnam\" stands for nothing")) << printed_;
  EXPECT_TRUE(says("0 errors, 2 warnings")) << printed_;
}

TEST_F(CheckTest, SaysWhereRejectedEventsGo) {
  const std::string flow =
      "a1.sources = r1\na1.channels = c1 c2\na1.sinks = k1 k2 k3 k4\n"
      "a1.sources.r1.type = seq\na1.sources.r1.channels = c1\n"
      "a1.channels.c1.type = file\na1.channels.c2.type = memory\n"
      "a1.sinks.k1.type = null\na1.sinks.k1.channel = c1\n"
      "a1.sinks.k2.type = null\na1.sinks.k2.channel = c1\n"
      "a1.sinks.k3.type = null\na1.sinks.k3.channel = c1\n"
      "a1.sinks.k4.type = null\na1.sinks.k4.channel = c2\n";
  EXPECT_EQ(check(flow + "a1.channels.c1.dead-letter.directory = /dead\n"
                         "a1.sinks.k2.dead-letter.channel = c2\n"
                         "a1.sinks.k3.on-rejected = drop\n"),
            kDone);
  EXPECT_TRUE(
      says("  c1 -> sink k1 (null)\n"
           "    what it rejects -> directory /dead; held while that takes none\n"
           "  c1 -> sink k2 (null)\n"
           "    what it rejects -> channel c2, which is not durable as c1 is; held while "
           "that takes none\n"
           "  c1 -> sink k3 (null)\n"
           "    what it rejects -> directory /dead; dropped while that takes none\n"
           "  c2 -> sink k4 (null)\n"
           "  memory for"))
      << printed_;
}

// The graph of two sources, a group and a dead-letter channel.
TEST_F(CheckTest, ExactlyOnceTakesAChannelThatKeepsIntents) {
  const std::string flow =
      "a1.sources = r1\na1.channels = c1\na1.sinks = k1\n"
      "a1.sources.r1.type = seq\na1.sources.r1.channels = c1\n"
      "a1.sinks.k1.type = file_roll\na1.sinks.k1.channel = c1\n"
      "a1.sinks.k1.sink.directory = /var/spool\na1.sinks.k1.sink.delivery = exactly-once\n"
      "a1.channels.c1.type = ";
  EXPECT_EQ(check(flow + "memory\n"), kBadConfiguration);
  EXPECT_TRUE(
      says("channel c1 of type memory does not keep what that needs; a file channel with "
           "fsyncPerTransaction = true does"))
      << printed_;
  EXPECT_EQ(check(flow + "file\na1.channels.c1.fsyncPerTransaction = false\n"), kBadConfiguration);
  EXPECT_EQ(check(flow + "SPILLABLEMEMORY\n"), kBadConfiguration);
  EXPECT_EQ(check(flow + "file\n"), kDone) << printed_;
  EXPECT_EQ(check(flow + "file\na1.sinks.k1.sink.sync = never\n"), kBadConfiguration);
  EXPECT_TRUE(says("exactly-once delivery needs files that are synced")) << printed_;
}

TEST_F(CheckTest, ExplainsTheGraph) {
  const std::string text =
      "a1.sources = r1 r2\na1.channels = c1 c2\na1.sinks = k1 k2 k3\na1.sinkgroups = g1\n"
      "a1.sources.r1.type = seq\na1.sources.r1.channels = c1 c2\n"
      "a1.sources.r1.interceptors = i1\na1.sources.r1.interceptors.i1.type = timestamp\n"
      "a1.sources.r2.type = seq\na1.sources.r2.channels = c1\n"
      "a1.channels.c1.type = memory\na1.channels.c2.type = memory\n"
      "a1.sinks.k1.type = logger\na1.sinks.k1.channel = c1\n"
      "a1.sinks.k1.dead-letter.channel = c2\n"
      "a1.sinks.k2.type = null\na1.sinks.k2.channel = c1\n"
      "a1.sinks.k3.type = null\na1.sinks.k3.channel = c2\n"
      "a1.sinkgroups.g1.sinks = k1 k2\na1.sinkgroups.g1.processor.type = load_balance\n";
  EXPECT_EQ(check(text, {"--explain", "text"}), kDone);
  EXPECT_EQ(printed_,
            "agent a1\n"
            "source r1 (seq) -> interceptor i1 -> selector replicating\n"
            "    -> channel c1 (memory)\n"
            "        -> sink k1 (logger), of sink group g1, dead letters to channel c2\n"
            "        -> sink k2 (null), of sink group g1\n"
            "    -> channel c2 (memory)\n"
            "        -> sink k3 (null)\n"
            "source r2 (seq)\n"
            "    -> channel c1 (memory)\n"
            "        -> sink k1 (logger), of sink group g1, dead letters to channel c2\n"
            "        -> sink k2 (null), of sink group g1\n"
            "sink group g1 (load_balance): k1, k2 in turn; one that fails is passed over that "
            "once\n");
  EXPECT_EQ(check(text, {"--explain", "dot"}), kDone);
  for (const char* line :
       {"digraph \"a1\" {\n", "\"source r1\" [shape=box, label=\"r1\\nseq, i1\"];\n",
        "\"source r1\" -> \"channel c2\" [label=\"replicating\"];\n",
        "\"sink k1\" -> \"channel c2\" [style=dashed, label=\"dead letters\"];\n",
        "subgraph \"cluster_g1\" {\n", "    \"sink k2\";\n"}) {
    EXPECT_TRUE(says(line)) << line << printed_;
  }
  EXPECT_EQ(check(text, {"--explain", "svg"}), kBadUsage);
}

}  // namespace
}  // namespace millrace
