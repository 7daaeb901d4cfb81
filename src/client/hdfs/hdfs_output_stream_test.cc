// Files written to HDFS: packets, chunks, blocks and flushes.
#include "client/hdfs/hdfs_output_stream.h"

#include "client/hdfs/output_stream_fixture.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;
using dfs::Durability;
using testing_kit::FakeNameNode;
using testing_kit::Trouble;

class HdfsOutputStreamTest : public testing_kit::OutputStreamFixture {};

TEST_F(HdfsOutputStreamTest, WritesBlocksThatEndWithTheirSize) {
  const auto stream = create(8192);
  const std::string bytes = text(8192 * 3 + 100);
  expect_ok(stream->write(bytes));
  expect_ok(stream->close());
  expect_contents(bytes);
  EXPECT_EQ(cluster->blocks.size(), 4U);
  EXPECT_EQ(cluster->blocks[1].length_bytes, 8192U);
  EXPECT_TRUE(cluster->completed);
  EXPECT_EQ(stream->write("x").error().fault(), Fault::kClosed);
  expect_ok(stream->close());
}

TEST_F(HdfsOutputStreamTest, ClosesAFileOfNoBytes) {
  const auto stream = create();
  EXPECT_EQ(stream->live_replicas(), 3U);
  expect_ok(stream->flush(Durability::kHsync));
  expect_ok(stream->close());
  EXPECT_TRUE(cluster->completed);
  EXPECT_TRUE(cluster->blocks.empty());
}

TEST_F(HdfsOutputStreamTest, EndsABlockThatIsJustFull) {
  const auto stream = create(4096);
  expect_ok(stream->write(text(4096)));
  expect_ok(stream->flush(Durability::kHflush));
  EXPECT_FALSE(cluster->replicas.of(cluster->blocks[0].id).finalized);
  expect_ok(stream->close());
  EXPECT_EQ(cluster->blocks.size(), 1U);
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
  EXPECT_TRUE(cluster->replicas.of(99).finalized);
}

TEST_F(HdfsOutputStreamTest, SyncsWhatWasFlushedBefore) {
  const auto stream = create();
  expect_ok(stream->write(text(1000)));
  expect_ok(stream->flush(Durability::kHflush));
  const std::uint64_t block = cluster->blocks[0].id;
  EXPECT_EQ(cluster->replicas.of(block).synced, 0U);
  expect_ok(stream->flush(Durability::kHsync));
  EXPECT_EQ(cluster->replicas.of(block).synced, 1000U);
  const std::size_t packets = cluster->replicas.packets;
  expect_ok(stream->flush(Durability::kHsync));
  EXPECT_EQ(cluster->replicas.packets, packets);
  EXPECT_EQ(cluster->fsyncs, 1U);
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

TEST_F(HdfsOutputStreamTest, AsksAgainWhatTheNameNodeCannotDoYet) {
  cluster->not_yet = 4;
  const auto stream = create(4096);
  expect_ok(stream->write(text(5000)));
  cluster->not_yet = 3;
  expect_ok(stream->close());
  EXPECT_TRUE(cluster->completed);
  expect_contents(text(5000));
}

// Goal: a pipeline that takes nothing holds up the writer, within bounds, and no longer than it
// may.
TEST_F(HdfsOutputStreamTest, HoldsUpItsWriterNoLongerThanItMay) {
  options.call_timeout = 300ms;
  options.socket_timeout = 60'000ms;
  options.window_packets = 8;
  cluster->nodes[0]->meets({.kind = Trouble::Kind::kSilence});
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
  cluster->nodes[0]->meets({.kind = Trouble::Kind::kSilence});
  const auto stream = create();
  expect_ok(stream->write("a"));
  std::jthread closer([this] {
    std::this_thread::sleep_for(50ms);
    closed = true;
  });
  EXPECT_EQ(stream->flush(Durability::kHflush).error().fault(), Fault::kClosed);
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

TEST_F(HdfsOutputStreamTest, RefusesAClusterThatProtectsItsData) {
  options.encrypted = true;
  const auto stream = create();
  expect_ok(stream->write("a"));
  EXPECT_EQ(stream->flush(Durability::kHflush).error().fault(), Fault::kConfig);
}

}  // namespace
}  // namespace millrace::hdfs
