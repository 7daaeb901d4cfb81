// Files read from DataNodes that fail in every way they can.
#include "client/hdfs/hdfs_input_stream.h"

#include <gtest/gtest.h>

#include <random>

#include "client/hdfs/fake_name_node.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;
using testing_kit::FakeNameNode;
using testing_kit::Trouble;

class HdfsInputStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options.socket_timeout = 2000ms;
    options.timeout_of_node = 0ms;
    options.call_timeout = 20'000ms;
    visible_length = [](const DatanodeId&, const Block&,
                        const BlockToken&) -> Result<std::uint64_t> {
      return transient("not asked");
    };
    // Three blocks, the last one short.
    std::mt19937 random(7);
    for (const std::size_t size : {10'000U, 10'000U, 777U}) {
      std::string bytes(size, '\0');
      for (char& byte : bytes) {
        byte = static_cast<char>(random());
      }
      const std::uint64_t id = cluster.blocks.size() + 1;
      cluster.blocks.push_back({"pool", id, 1000, size});
      cluster.replicas.blocks[id] = {bytes, 1000, true, 0};
      file += bytes;
    }
  }

  std::unique_ptr<HdfsInputStream> open() {
    auto opened = HdfsInputStream::open(cluster, "/a", visible_length, options, closed);
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }
  static std::string read(HdfsInputStream& stream, std::size_t size, std::uint64_t offset) {
    std::string space(size, '\0');
    const Result<std::size_t> count = stream.read_at(space, offset);
    EXPECT_TRUE(count.ok()) << (count.ok() ? "" : count.error().message());
    space.resize(count.ok() ? *count : 0);
    return space;
  }
  // Reads all in pieces of so many bytes.
  void expect_all(std::size_t piece) {
    const auto stream = open();
    ASSERT_EQ(stream->length(), file.size());
    std::string all;
    while (all.size() < file.size()) {
      const std::string part = read(*stream, piece, all.size());
      ASSERT_FALSE(part.empty());
      all += part;
    }
    EXPECT_TRUE(all == file);
    EXPECT_EQ(read(*stream, 10, file.size()), "");
  }

  StreamOptions options;
  VisibleLength visible_length;
  std::atomic<bool> closed{false};
  FakeNameNode cluster{3};
  std::string file;
};

TEST_F(HdfsInputStreamTest, ReadsInOrder) {
  expect_all(333);
  expect_all(100'000);
}

TEST_F(HdfsInputStreamTest, ReadsAnywhere) {
  const auto stream = open();
  std::mt19937 random(3);
  for (int n = 0; n < 100; ++n) {
    const std::size_t offset = random() % file.size();
    const std::size_t size = random() % 3000;
    ASSERT_TRUE(read(*stream, size, offset) == file.substr(offset, size)) << offset;
  }
}

TEST_F(HdfsInputStreamTest, GoesToTheNextNode) {
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kRefuse});
  expect_all(500);
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kEnd, .packets = 1});
  expect_all(500);
  cluster.nodes[0]->stop();
  expect_all(500);
}

TEST_F(HdfsInputStreamTest, TakesNoBytesThatDoNotFitTheirChecksum) {
  cluster.nodes[0]->meets({.kind = Trouble::Kind::kGarbage, .packets = 1});
  cluster.nodes[1]->meets({.kind = Trouble::Kind::kGarbage, .packets = 0});
  expect_all(5000);
}

TEST_F(HdfsInputStreamTest, AsksAgainWhenAllFail) {
  for (const auto& node : cluster.nodes) {
    node->meets({.kind = Trouble::Kind::kRefuse});
  }
  expect_all(5000);
}

TEST_F(HdfsInputStreamTest, SaysWhenNoNodeHasIt) {
  const auto stream = open();
  for (const auto& node : cluster.nodes) {
    node->stop();
  }
  std::string space(10, '\0');
  EXPECT_EQ(stream->read_at(space, 0).error().fault(), Fault::kTransient);
}

TEST_F(HdfsInputStreamTest, ReadsWhatIsVisibleOfAFileBeingWritten) {
  cluster.open_last = true;
  std::size_t asked = 0;
  visible_length = [&](const DatanodeId&, const Block& block,
                       const BlockToken&) -> Result<std::uint64_t> {
    EXPECT_EQ(block.id, 3U);
    if (++asked == 1) {
      return transient("this one is gone");
    }
    return std::uint64_t{600};
  };
  file.resize(20'600);
  expect_all(5000);
  EXPECT_EQ(asked, 2U);
}

TEST_F(HdfsInputStreamTest, TakesABlockThatNoNodeHasBegunForEmpty) {
  cluster.open_last = true;
  visible_length = [](const DatanodeId&, const Block&, const BlockToken&) -> Result<std::uint64_t> {
    return Error(Fault::kTransient, "no such replica", ENOENT);
  };
  file.resize(20'000);
  expect_all(5000);
}

}  // namespace
}  // namespace millrace::hdfs
