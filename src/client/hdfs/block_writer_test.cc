// Blocks written to DataNodes that fail in every way they can.
#include "client/hdfs/block_writer.h"

#include <functional>

#include "client/hdfs/output_stream_fixture.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;
using dfs::Durability;
using ::testing::Contains;
using testing_kit::FakeNameNode;
using testing_kit::Trouble;

class BlockWriterTest : public testing_kit::OutputStreamFixture {
 protected:
  // Tries again what says that it may be.
  static Result<> until_done(const std::function<Result<>()>& what) {
    Result<> done;
    for (int tries = 0; tries < 20; ++tries) {
      done = what();
      if (done.ok() || done.error().fault() != Fault::kTransient) {
        break;
      }
    }
    return done;
  }
};

TEST_F(BlockWriterTest, TakesTornAcks) {
  survives({.torn_acks = true});
}

TEST_F(BlockWriterTest, PutsANewBlockElsewhere) {
  survives({.kind = Trouble::Kind::kRefuse, .node = 1});
  EXPECT_EQ(cluster->abandoned, 1U);
  EXPECT_EQ(cluster->pipelines, 0U);
}

TEST_F(BlockWriterTest, PutsANewBlockOnWhoAccepts) {
  cluster->nodes[0]->stop();
  survives({});
  EXPECT_EQ(cluster->abandoned, 1U);
}

TEST_F(BlockWriterTest, TriesExcludedNodesAgainWhenNoneIsLeft) {
  cluster->nodes.resize(1);
  cluster->replication = 1;
  survives({.kind = Trouble::Kind::kRefuse});
  EXPECT_EQ(cluster->abandoned, 1U);
}

TEST_F(BlockWriterTest, GivesUpANewBlockThatNobodyTakes) {
  for (const auto& node : cluster->nodes) {
    node->stop();
  }
  const auto stream = create();
  expect_ok(stream->write("a"));
  EXPECT_EQ(stream->flush(Durability::kHflush).error().fault(), Fault::kTransient);
  EXPECT_EQ(cluster->abandoned, 4U);
  EXPECT_TRUE(cluster->blocks.empty());
}

TEST_F(BlockWriterTest, GoesOnWithoutTheNodeThatAcksBlame) {
  survives({.kind = Trouble::Kind::kBadAck, .packets = 3, .node = 2});
  EXPECT_EQ(cluster->pipelines, 1U);
  EXPECT_EQ(cluster->pipeline_size, 2U);
  EXPECT_THAT(cluster->replicas.stages, Contains(PipelineStage::kSetupStreamingRecovery));
}

TEST_F(BlockWriterTest, GoesOnWhenTheFirstNodeEnds) {
  survives({.kind = Trouble::Kind::kEnd, .packets = 5});
  EXPECT_EQ(cluster->pipelines, 1U);
}

TEST_F(BlockWriterTest, GoesOnWhenTheFirstNodeIsSilent) {
  options.socket_timeout = 300ms;
  survives({.kind = Trouble::Kind::kSilence, .packets = 2});
  EXPECT_EQ(cluster->pipelines, 1U);
}

TEST_F(BlockWriterTest, GoesOnAfterAnAckThatIsNone) {
  survives({.kind = Trouble::Kind::kGarbage, .packets = 2});
}

TEST_F(BlockWriterTest, GoesOnAfterTheAckOfAnotherPacket) {
  survives({.kind = Trouble::Kind::kWrongSeqno, .packets = 2});
}

TEST_F(BlockWriterTest, ReplacesANodeOfABlockThatReadersSaw) {
  survives({.kind = Trouble::Kind::kEnd, .packets = 1}, 1000);
  EXPECT_EQ(cluster->pipelines, 1U);
  EXPECT_EQ(cluster->pipeline_size, 3U);
  EXPECT_EQ(cluster->replicas.copies, 1U);
}

TEST_F(BlockWriterTest, ReplacesNothingWhereThePolicyForbidsIt) {
  options.replacement.when = ReplacementPolicy::When::kNever;
  survives({.kind = Trouble::Kind::kEnd, .packets = 1}, 1000);
  EXPECT_EQ(cluster->pipeline_size, 2U);
}

TEST_F(BlockWriterTest, FailsWhereNoNodeCanReplaceTheLostOne) {
  cluster->nodes.pop_back();
  cluster->nodes[0]->meets({.kind = Trouble::Kind::kEnd, .packets = 1});
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

TEST_F(BlockWriterTest, GoesOnWithEnoughNodes) {
  cluster->nodes.pop_back();
  options.replacement.min_replication = 2;
  survives({.kind = Trouble::Kind::kEnd, .packets = 1}, 1000);
  EXPECT_EQ(cluster->pipeline_size, 2U);
}

TEST_F(BlockWriterTest, EndsTheBlockWhenItsLastAckIsLost) {
  cluster->nodes[0]->meets({.kind = Trouble::Kind::kEnd, .packets = 1});
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->close());
  expect_contents(text(1000));
  EXPECT_THAT(cluster->replicas.stages, Contains(PipelineStage::kCloseRecovery));
}

TEST_F(BlockWriterTest, WaitsForTheOnlyNodeToRestart) {
  cluster->replication = 1;
  survives({.kind = Trouble::Kind::kRestart, .packets = 2});
  EXPECT_EQ(cluster->pipeline_size, 1U);
}

TEST_F(BlockWriterTest, LosesNodesUntilNoneIsLeft) {
  options.replacement.enabled = false;
  for (const auto& node : cluster->nodes) {
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

TEST_F(BlockWriterTest, KeepsAnIdlePipelineAlive) {
  options.socket_timeout = 100ms;
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->flush(Durability::kHflush));
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  for (std::size_t seen = 0; seen < 3 && std::chrono::steady_clock::now() < deadline;) {
    stream->keep_alive();
    std::this_thread::sleep_for(5ms);
    const std::lock_guard lock(cluster->replicas.mutex);
    seen = cluster->replicas.heartbeats;
  }
  EXPECT_GE(cluster->replicas.heartbeats, 3U);
  EXPECT_EQ(stream->live_replicas(), 3U);
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->close());
  EXPECT_EQ(cluster->pipelines, 0U);
  expect_contents(text(1000) + text(1000));
}

TEST_F(BlockWriterTest, SeesAnIdlePipelineDie) {
  options.socket_timeout = 100ms;
  cluster->nodes[0]->meets({.kind = Trouble::Kind::kSilence, .packets = 1});
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
  EXPECT_EQ(cluster->pipelines, 1U);
}

// Goal: whatever fails whenever, what a flush said is there is there, and at the end every byte is,
// once. Method: random writes and flushes; each connection may meet a random trouble; after an
// error the same is tried again.
TEST_F(BlockWriterTest, SurvivesRandomTroubles) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  options.socket_timeout = 200ms;
  options.replacement.best_effort = true;
  for (int run = 0; run < 8; ++run) {
    cluster = std::make_unique<FakeNameNode>(5);
    for (const auto& node : cluster->nodes) {
      for (std::size_t n = random() % 4; n > 0; --n) {
        node->meets({.kind = static_cast<Trouble::Kind>(random() % 8),
                     .packets = random() % 12,
                     .node = random() % 2,
                     .torn_acks = random() % 4 == 0});
      }
    }
    const auto stream = create(random() % 2 == 0 ? 8192 : 1 << 20);
    std::string written;
    for (int n = 0; n < 40; ++n) {
      const std::string piece = text(random() % 2000, seed + static_cast<unsigned>(n));
      std::string_view rest = piece;
      expect_ok(until_done([&] {
        const std::uint64_t before = stream->length();
        Result<> done = stream->write(rest);
        rest.remove_prefix(stream->length() - before);
        return done;
      }));
      written += piece;
      if (random() % 4 == 0) {
        expect_ok(until_done([&] { return stream->flush(Durability::kHflush); }));
        expect_contents(written);
      }
    }
    expect_ok(until_done([&] { return stream->close(); }));
    expect_contents(written);
    EXPECT_TRUE(cluster->completed);
  }
}

}  // namespace
}  // namespace millrace::hdfs
