// Files written to DataNodes that fail in every way they can.
#include "client/hdfs/hdfs_output_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "client/hdfs/fake_name_node.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;
using dfs::Durability;
using ::testing::Contains;
using testing_kit::FakeNameNode;
using testing_kit::Trouble;

class HdfsOutputStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options.socket_timeout = 2000ms;
    options.timeout_of_node = 0ms;
    options.packet_bytes = 2100;  // Four chunks.
    options.call_timeout = 20'000ms;
    options.locate_delay = 100ms;
  }

  std::unique_ptr<HdfsOutputStream> create(std::uint64_t block_size = 1 << 20) {
    OutputFile file;
    file.file = {"/a", 7};
    file.block_size = block_size;
    file.replication = static_cast<std::uint32_t>(cluster.replication);
    return std::make_unique<HdfsOutputStream>(cluster, file, options, closed);
  }
  // A file whose only block has these bytes, open for append.
  std::unique_ptr<HdfsOutputStream> append_to(const std::string& bytes, std::uint64_t block_size) {
    cluster.blocks = {{"pool", 99, 1000, bytes.size()}};
    cluster.replicas.blocks[99] = {bytes, 1000, true, 0};
    OutputFile file;
    file.file = {"/a", 7};
    file.block_size = block_size;
    file.replication = 3;
    file.length = bytes.size();
    file.last = FakeNameNode::located(cluster.blocks[0], cluster.pick({}, 3));
    return std::make_unique<HdfsOutputStream>(cluster, file, options, closed);
  }
  static std::string text(std::size_t size, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::string made(size, '\0');
    for (char& byte : made) {
      byte = static_cast<char>(random());
    }
    return made;
  }
  static void expect_ok(const Result<>& result) {
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  }
  // Bytes are not printed: they are many.
  void expect_contents(const std::string& bytes) {
    const std::string found = cluster.contents();
    const auto differs = std::mismatch(found.begin(), found.end(), bytes.begin(), bytes.end());
    EXPECT_TRUE(found == bytes) << found.size() << " bytes, not " << bytes.size() << ", differ at "
                                << differs.first - found.begin();
  }
  // Writes, has the first DataNode meet the trouble, writes on, closes, and compares every byte.
  void survives(Trouble trouble, std::size_t flush_first = 0) {
    cluster.nodes[0]->meets(trouble);
    const auto stream = create();
    const std::string bytes = text(40'000);
    if (flush_first > 0) {
      expect_ok(stream->write(bytes.substr(0, flush_first)));
      expect_ok(stream->flush(Durability::kHflush));
    }
    expect_ok(stream->write(bytes.substr(flush_first)));
    expect_ok(stream->flush(Durability::kHflush));
    expect_contents(bytes);
    expect_ok(stream->close());
    expect_contents(bytes);
    EXPECT_TRUE(cluster.completed);
    EXPECT_EQ(stream->length(), bytes.size());
  }

  StreamOptions options;
  std::atomic<bool> closed{false};
  FakeNameNode cluster{4};
};

TEST_F(HdfsOutputStreamTest, WritesBlocksThatEndWithTheirSize) {
  const auto stream = create(8192);
  const std::string bytes = text(8192 * 3 + 100);
  expect_ok(stream->write(bytes));
  expect_ok(stream->close());
  expect_contents(bytes);
  EXPECT_EQ(cluster.blocks.size(), 4U);
  EXPECT_EQ(cluster.blocks[1].length_bytes, 8192U);
  EXPECT_TRUE(cluster.completed);
  EXPECT_EQ(stream->write("x").error().fault(), Fault::kClosed);
  expect_ok(stream->close());
}

TEST_F(HdfsOutputStreamTest, ClosesAFileOfNoBytes) {
  const auto stream = create();
  EXPECT_EQ(stream->live_replicas(), 3U);
  expect_ok(stream->flush(Durability::kHsync));
  expect_ok(stream->close());
  EXPECT_TRUE(cluster.completed);
  EXPECT_TRUE(cluster.blocks.empty());
}

TEST_F(HdfsOutputStreamTest, EndsABlockThatIsJustFull) {
  const auto stream = create(4096);
  expect_ok(stream->write(text(4096)));
  expect_ok(stream->flush(Durability::kHflush));
  EXPECT_FALSE(cluster.replicas.of(cluster.blocks[0].id).finalized);
  expect_ok(stream->close());
  EXPECT_EQ(cluster.blocks.size(), 1U);
}

// Goal: flushed bytes are there at once, whatever chunks and packets they cut. Method: writes of
// random sizes, flushed at random, small blocks; the DataNode checks offsets, checksums and what it
// is given twice.
TEST_F(HdfsOutputStreamTest, FlushesAtAnyByte) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto stream = create(16 * 1024);
  std::string written;
  for (int n = 0; n < 300; ++n) {
    const std::string piece = text(random() % 700, seed + static_cast<unsigned>(n));
    expect_ok(stream->write(piece));
    written += piece;
    if (random() % 3 == 0) {
      expect_ok(stream->flush(random() % 2 == 0 ? Durability::kHflush : Durability::kHsync));
      expect_contents(written);
    }
  }
  expect_ok(stream->close());
  expect_contents(written);
}

TEST_F(HdfsOutputStreamTest, AppendsAtAnyByteOfAChunk) {
  options.packet_bytes = 1200;
  for (const std::size_t length : {1U, 511U, 512U, 513U, 1000U, 1023U, 1024U, 4095U}) {
    SCOPED_TRACE(length);
    const std::string before = text(length);
    const auto stream = append_to(before, 4096);
    std::string after;
    for (const std::size_t size : {3U, 100U, 1U, 700U, 3000U, 5000U}) {
      const std::string piece = text(size, static_cast<unsigned>(size));
      expect_ok(stream->write(piece));
      after += piece;
      expect_ok(stream->flush(Durability::kHflush));
      expect_contents(before + after);
    }
    expect_ok(stream->close());
    expect_contents(before + after);
  }
}

TEST_F(HdfsOutputStreamTest, ClosesAnAppendOfNothing) {
  const auto stream = append_to(text(700), 4096);
  expect_ok(stream->close());
  EXPECT_TRUE(cluster.replicas.of(99).finalized);
}

TEST_F(HdfsOutputStreamTest, SyncsWhatWasFlushedBefore) {
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->flush(Durability::kHflush));
  const std::uint64_t block = cluster.blocks[0].id;
  EXPECT_EQ(cluster.replicas.of(block).synced, 0U);
  expect_ok(stream->flush(Durability::kHsync));
  EXPECT_EQ(cluster.replicas.of(block).synced, 1000U);
  const std::size_t packets = cluster.replicas.packets;
  expect_ok(stream->flush(Durability::kHsync));
  EXPECT_EQ(cluster.replicas.packets, packets);
  EXPECT_EQ(cluster.fsyncs, 1U);
  stream->abandon();
}

TEST_F(HdfsOutputStreamTest, FlushesManyFilesSideBySide) {
  FakeNameNode other(3);
  const auto first = create();
  OutputFile file;
  file.file = {"/b", 8};
  file.block_size = 1 << 20;
  file.replication = 3;
  HdfsOutputStream second(other, file, options, closed);
  expect_ok(first->write("one"));
  expect_ok(second.write("two"));
  expect_ok(first->start_flush(Durability::kHflush));
  expect_ok(second.start_flush(Durability::kHflush));
  expect_ok(first->finish_flush());
  expect_ok(second.finish_flush());
  expect_contents("one");
  EXPECT_EQ(other.contents(), "two");
  first->abandon();
}

TEST_F(HdfsOutputStreamTest, TakesTornAcks) {
  survives({.torn_acks = true});
}

TEST_F(HdfsOutputStreamTest, PutsANewBlockElsewhere) {
  survives({.kind = Trouble::Kind::kRefuse, .node = 1});
  EXPECT_EQ(cluster.abandoned, 1U);
  EXPECT_EQ(cluster.pipelines, 0U);
}

TEST_F(HdfsOutputStreamTest, PutsANewBlockOnWhoAccepts) {
  cluster.nodes[0]->stop();
  survives({});
  EXPECT_EQ(cluster.abandoned, 1U);
}

TEST_F(HdfsOutputStreamTest, TriesExcludedNodesAgainWhenNoneIsLeft) {
  cluster.nodes.resize(1);
  cluster.replication = 1;
  survives({.kind = Trouble::Kind::kRefuse});
  EXPECT_EQ(cluster.abandoned, 1U);
}

TEST_F(HdfsOutputStreamTest, GivesUpANewBlockThatNobodyTakes) {
  for (const auto& node : cluster.nodes) {
    node->stop();
  }
  const auto stream = create();
  expect_ok(stream->write("a"));
  EXPECT_EQ(stream->flush(Durability::kHflush).error().fault(), Fault::kTransient);
  EXPECT_EQ(cluster.abandoned, 4U);
  EXPECT_TRUE(cluster.blocks.empty());
}

TEST_F(HdfsOutputStreamTest, GoesOnWithoutTheNodeThatAcksBlame) {
  survives({.kind = Trouble::Kind::kBadAck, .packets = 3, .node = 2});
  EXPECT_EQ(cluster.pipelines, 1U);
  EXPECT_EQ(cluster.pipeline_size, 2U);
  EXPECT_THAT(cluster.replicas.stages, Contains(PipelineStage::kSetupStreamingRecovery));
}

TEST_F(HdfsOutputStreamTest, GoesOnWhenTheFirstNodeEnds) {
  survives({.kind = Trouble::Kind::kEnd, .packets = 5});
  EXPECT_EQ(cluster.pipelines, 1U);
}

TEST_F(HdfsOutputStreamTest, GoesOnWhenTheFirstNodeIsSilent) {
  options.socket_timeout = 300ms;
  survives({.kind = Trouble::Kind::kSilence, .packets = 2});
  EXPECT_EQ(cluster.pipelines, 1U);
}

TEST_F(HdfsOutputStreamTest, GoesOnAfterAnAckThatIsNone) {
  survives({.kind = Trouble::Kind::kGarbage, .packets = 2});
}

TEST_F(HdfsOutputStreamTest, GoesOnAfterTheAckOfAnotherPacket) {
  survives({.kind = Trouble::Kind::kWrongSeqno, .packets = 2});
}

TEST_F(HdfsOutputStreamTest, ReplacesANodeOfABlockThatReadersSaw) {
  survives({.kind = Trouble::Kind::kEnd, .packets = 1}, 1000);
  EXPECT_EQ(cluster.pipelines, 1U);
  EXPECT_EQ(cluster.pipeline_size, 3U);
  EXPECT_EQ(cluster.replicas.copies, 1U);
}

TEST_F(HdfsOutputStreamTest, ReplacesNothingWhereThePolicyForbidsIt) {
  options.replacement.when = ReplacementPolicy::When::kNever;
  survives({.kind = Trouble::Kind::kEnd, .packets = 1}, 1000);
  EXPECT_EQ(cluster.pipeline_size, 2U);
}

TEST_F(HdfsOutputStreamTest, FailsWhereNoNodeCanReplaceTheLostOne) {
  cluster.nodes.pop_back();
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kEnd, .packets = 1});
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->flush(Durability::kHflush));
  expect_ok(stream->write(text(1000)));
  const Result<> flushed = stream->flush(Durability::kHflush);
  ASSERT_FALSE(flushed.ok());
  EXPECT_EQ(flushed.error().fault(), Fault::kTransient);
  EXPECT_EQ(stream->live_replicas(), 2U);
  options.replacement.best_effort = true;  // What was wrong is mended: close() goes on.
  expect_ok(stream->close());
  expect_contents(text(1000) + text(1000));
}

TEST_F(HdfsOutputStreamTest, GoesOnWithEnoughNodes) {
  cluster.nodes.pop_back();
  options.replacement.min_replication = 2;
  survives({.kind = Trouble::Kind::kEnd, .packets = 1}, 1000);
  EXPECT_EQ(cluster.pipeline_size, 2U);
}

TEST_F(HdfsOutputStreamTest, EndsTheBlockWhenItsLastAckIsLost) {
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kEnd, .packets = 1});
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->close());
  expect_contents(text(1000));
  EXPECT_THAT(cluster.replicas.stages, Contains(PipelineStage::kCloseRecovery));
}

TEST_F(HdfsOutputStreamTest, WaitsForTheOnlyNodeToRestart) {
  cluster.replication = 1;
  survives({.kind = Trouble::Kind::kRestart, .packets = 2});
  EXPECT_EQ(cluster.pipeline_size, 1U);
}

TEST_F(HdfsOutputStreamTest, LosesNodesUntilNoneIsLeft) {
  options.replacement.enabled = false;
  for (const auto& node : cluster.nodes) {
    node->meets({.kind = Trouble::Kind::kEnd, .packets = 1});
    node->meets({.kind = Trouble::Kind::kEnd, .packets = 0});
  }
  const auto stream = create();
  expect_ok(stream->write(text(10'000)));
  const Result<> flushed = stream->flush(Durability::kHflush);
  ASSERT_FALSE(flushed.ok());
  EXPECT_EQ(flushed.error().fault(), Fault::kTransient);
  EXPECT_EQ(stream->live_replicas(), 1U);
  stream->abandon();
}

TEST_F(HdfsOutputStreamTest, AsksAgainWhatTheNameNodeCannotDoYet) {
  cluster.not_yet = 4;
  const auto stream = create(4096);
  expect_ok(stream->write(text(5000)));
  cluster.not_yet = 3;
  expect_ok(stream->close());
  EXPECT_TRUE(cluster.completed);
  expect_contents(text(5000));
}

// Goal: a pipeline that takes nothing holds up the writer, within bounds, and no longer than it
// may.
TEST_F(HdfsOutputStreamTest, HoldsUpItsWriterNoLongerThanItMay) {
  options.call_timeout = 300ms;
  options.socket_timeout = 60'000ms;
  options.window_packets = 8;
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kSilence});
  const auto stream = create();
  const auto begin = std::chrono::steady_clock::now();
  const Result<> written = stream->write(text(1 << 16));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().error_number(), ETIMEDOUT);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 300ms);
  EXPECT_LE(stream->length(), 10 * 2048U);
  stream->abandon();
}

TEST_F(HdfsOutputStreamTest, EndsItsWaitsWhenTheFileSystemIsClosed) {
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kSilence});
  const auto stream = create();
  expect_ok(stream->write("a"));
  std::jthread closer([this] {
    std::this_thread::sleep_for(50ms);
    closed = true;
  });
  EXPECT_EQ(stream->flush(Durability::kHflush).error().fault(), Fault::kClosed);
}

TEST_F(HdfsOutputStreamTest, KeepsAnIdlePipelineAlive) {
  options.socket_timeout = 100ms;
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->flush(Durability::kHflush));
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  for (std::size_t seen = 0; seen < 3 && std::chrono::steady_clock::now() < deadline;) {
    stream->keep_alive();
    std::this_thread::sleep_for(5ms);
    const std::lock_guard lock(cluster.replicas.mutex);
    seen = cluster.replicas.heartbeats;
  }
  EXPECT_GE(cluster.replicas.heartbeats, 3U);
  EXPECT_EQ(stream->live_replicas(), 3U);
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->close());
  EXPECT_EQ(cluster.pipelines, 0U);
  expect_contents(text(1000) + text(1000));
}

// Goal: the keeper and the writer may meet. Method: both at once; ThreadSanitizer looks on.
TEST_F(HdfsOutputStreamTest, IsKeptAliveWhileItIsWritten) {
  options.socket_timeout = 2000ms;
  const auto stream = create(16'384);
  std::jthread keeper([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      stream->keep_alive();
    }
  });
  const std::string bytes = text(100'000);
  for (std::size_t at = 0; at < bytes.size(); at += 1000) {
    expect_ok(stream->write(std::string_view(bytes).substr(at, 1000)));
    if (at % 10'000 == 0) {
      expect_ok(stream->flush(Durability::kHflush));
    }
  }
  expect_ok(stream->close());
  expect_contents(bytes);
}

TEST_F(HdfsOutputStreamTest, SeesAnIdlePipelineDie) {
  options.socket_timeout = 100ms;
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kSilence, .packets = 1});
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->flush(Durability::kHflush));
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (stream->live_replicas() == 3 && std::chrono::steady_clock::now() < deadline) {
    stream->keep_alive();
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(stream->live_replicas(), 2U);
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->close());
  expect_contents(text(1000) + text(1000));
  EXPECT_EQ(cluster.pipelines, 1U);
}

TEST_F(HdfsOutputStreamTest, RefusesACluserThatProtectsItsData) {
  options.encrypted = true;
  const auto stream = create();
  expect_ok(stream->write("a"));
  EXPECT_EQ(stream->flush(Durability::kHflush).error().fault(), Fault::kConfig);
}

}  // namespace
}  // namespace millrace::hdfs
