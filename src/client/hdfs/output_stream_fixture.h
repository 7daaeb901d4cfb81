// A file being written to DataNodes of a test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <string>

#include "client/hdfs/fake_name_node.h"
#include "client/hdfs/hdfs_output_stream.h"

namespace millrace::hdfs::testing_kit {

class OutputStreamFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    options.socket_timeout = std::chrono::milliseconds(2000);
    options.timeout_of_node = std::chrono::milliseconds(0);
    options.packet_bytes = 2100;  // Four chunks.
    options.call_timeout = std::chrono::milliseconds(20'000);
    options.locate_delay = std::chrono::milliseconds(100);
  }

  std::unique_ptr<HdfsOutputStream> create(std::uint64_t block_size = 1 << 20) {
    OutputFile file;
    file.file = {"/a", 7};
    file.block_size = block_size;
    file.replication = static_cast<std::uint32_t>(cluster->replication);
    return std::make_unique<HdfsOutputStream>(*cluster, file, options, closed);
  }
  // A file whose only block has these bytes, open for append.
  std::unique_ptr<HdfsOutputStream> append_to(const std::string& bytes, std::uint64_t block_size) {
    cluster->blocks = {{"pool", 99, 1000, bytes.size()}};
    cluster->replicas.blocks[99] = {bytes, 1000, true, 0};
    OutputFile file;
    file.file = {"/a", 7};
    file.block_size = block_size;
    file.replication = 3;
    file.length = bytes.size();
    file.last = FakeNameNode::located(cluster->blocks[0], cluster->pick({}, 3));
    return std::make_unique<HdfsOutputStream>(*cluster, file, options, closed);
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
    const std::string found = cluster->contents();
    const auto differs = std::mismatch(found.begin(), found.end(), bytes.begin(), bytes.end());
    EXPECT_TRUE(found == bytes) << found.size() << " bytes, not " << bytes.size() << ", differ at "
                                << differs.first - found.begin();
  }
  // Writes, has the first DataNode meet the trouble, writes on, closes, and compares every byte.
  void survives(Trouble trouble, std::size_t flush_first = 0) {
    cluster->nodes[0]->meets(trouble);
    const auto stream = create();
    const std::string bytes = text(40'000);
    if (flush_first > 0) {
      expect_ok(stream->write(bytes.substr(0, flush_first)));
      expect_ok(stream->flush(dfs::Durability::kHflush));
    }
    expect_ok(stream->write(bytes.substr(flush_first)));
    expect_ok(stream->flush(dfs::Durability::kHflush));
    expect_contents(bytes);
    expect_ok(stream->close());
    expect_contents(bytes);
    EXPECT_TRUE(cluster->completed);
    EXPECT_EQ(stream->length(), bytes.size());
  }

  StreamOptions options;
  std::atomic<bool> closed{false};
  std::unique_ptr<FakeNameNode> cluster = std::make_unique<FakeNameNode>(4);
};

}  // namespace millrace::hdfs::testing_kit
