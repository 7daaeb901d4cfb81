// Writes and reads files of HDFS as it is told on its standard input, a command a line, each
// answered by a line: "ok …" or "error …". What is written is a pattern by which each byte is known
// from its place. Driven by hdfs_streams.py.
//
//   create PATH BLOCK_SIZE REPLICATION hflush|hsync    append PATH    write COUNT    write_slowly
//   COUNT MILLISECONDS hflush    hsync    close    abandon    live    read PATH    recover PATH
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include "client/hdfs/hdfs_input_stream.h"
#include "client/hdfs/hdfs_output_stream.h"
#include "client/hdfs/rpc_name_node.h"
#include "client/hdfs/visible_length.h"

namespace millrace::hdfs {
namespace {

constexpr char kUser[] = "root";

// The eight bytes from `offset` on, a multiple of eight.
std::uint64_t pattern(std::uint64_t offset) {
  std::uint64_t value = offset + 0x9E3779B97F4A7C15U;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9U;
  value = (value ^ value >> 27) * 0x94D049BB133111EBU;
  return value ^ value >> 31;
}

std::string pattern_bytes(std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t at = 0; at < count;) {
    const std::uint64_t place = offset + at;
    const std::uint64_t value = pattern(place / 8 * 8);
    const std::size_t part = std::min<std::size_t>(8 - place % 8, count - at);
    std::memcpy(bytes.data() + at, reinterpret_cast<const char*>(&value) + place % 8, part);
    at += part;
  }
  return bytes;
}

class User {
 public:
  User(std::string host, std::uint16_t port, StreamOptions options)
      : name_node_({.host = std::move(host), .port = port, .user = kUser}, {},
                   fmt::format("DFSClient_hdfs_user_{}", ::getpid())),
        options_(options),
        keeper_([this](const std::stop_token& stop) { keep(stop); }) {}

  Result<std::string> run(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    std::string path;
    words >> command;
    if (command == "create") {
      std::uint64_t block_size = 0;
      std::uint32_t replication = 0;
      std::string durability;
      words >> path >> block_size >> replication >> durability;
      return create(path, block_size, replication, durability == "hsync");
    }
    if (command == "read" || command == "append" || command == "recover") {
      words >> path;
      return command == "read" ? read(path) : command == "append" ? append(path) : recover(path);
    }
    if (!stream_) {
      return transient("no file is open");
    }
    if (command == "write" || command == "write_slowly") {
      std::uint64_t count = 0;
      int pause_ms = 0;
      words >> count >> pause_ms;
      return write(count, pause_ms);
    }
    return end_or_flush(command);
  }

 private:
  Result<std::string> create(const std::string& path, std::uint64_t block_size,
                             std::uint32_t replication, bool sync) {
    const FileInfo info = TRY(name_node_.create(
        {.path = path, .permissions = 0644, .replication = replication, .block_size = block_size}));
    OutputFile file;
    file.file = {path, info.file_id};
    file.block_size = block_size;
    file.replication = replication;
    file.sync_blocks = sync;
    return opened(std::move(file));
  }
  Result<std::string> append(const std::string& path) {
    const AppendedFile appended = TRY(name_node_.append(path));
    OutputFile file;
    file.file = {path, appended.info.file_id};
    file.block_size = appended.info.status.block_size;
    file.replication = appended.info.status.replication;
    file.length = appended.info.status.length;
    file.last = appended.last_block;
    return opened(std::move(file));
  }
  Result<std::string> opened(OutputFile file) {
    auto stream =
        std::make_shared<HdfsOutputStream>(name_node_, std::move(file), options_, closed_);
    const std::lock_guard lock(mutex_);
    stream_ = std::move(stream);
    return std::to_string(stream_->length());
  }
  Result<std::string> write(std::uint64_t count, int pause_ms) {
    constexpr std::uint64_t kPiece = 64 * 1024;
    while (count > 0) {
      const std::uint64_t part = std::min(count, kPiece);
      TRY(stream_->write(pattern_bytes(stream_->length(), part)));
      count -= part;
      std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
    return std::to_string(stream_->length());
  }
  Result<std::string> end_or_flush(const std::string& command) {
    if (command == "hflush" || command == "hsync") {
      TRY(stream_->flush(command == "hsync" ? dfs::Durability::kHsync : dfs::Durability::kHflush));
    } else if (command == "close") {
      TRY(stream_->close());
    } else if (command == "abandon") {
      stream_->abandon();
    } else if (command != "live") {
      return bad_config("no such command: " + command);
    }
    return command == "live" ? std::to_string(stream_->live_replicas())
                             : std::to_string(stream_->length());
  }
  Result<std::string> read(const std::string& path) {
    const auto stream = TRY(HdfsInputStream::open(
        name_node_, path,
        [this](const DatanodeId& node, const Block& block, const BlockToken&) {
          return ask_visible_length(node, block, kUser, {.connect_retries = 0}, false);
        },
        options_, closed_));
    std::string space(1 << 20, '\0');
    for (std::uint64_t at = 0; at < stream->length();) {
      const std::size_t count = TRY(stream->read_at(space, at));
      if (std::string_view(space).substr(0, count) != pattern_bytes(at, count)) {
        return corrupt(fmt::format("wrong bytes from {} on", at));
      }
      at += count;
    }
    return std::to_string(stream->length());
  }
  Result<std::string> recover(const std::string& path) {
    TRY(name_node_.recover_lease(path));
    for (int n = 0; n < 600; ++n) {
      if (TRY(name_node_.is_file_closed(path))) {
        return std::string("closed");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return transient("not closed in a minute");
  }
  // The file system's keeper.
  void keep(const std::stop_token& stop) {
    for (int n = 1; !stop.stop_requested(); ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::shared_ptr<HdfsOutputStream> stream;
      {
        const std::lock_guard lock(mutex_);
        stream = stream_;
      }
      if (stream && n % 5 == 0) {
        stream->keep_alive();
      }
      if (stream && n % 100 == 0) {
        static_cast<void>(name_node_.renew_lease());
      }
    }
  }

  RpcNameNode name_node_;
  const StreamOptions options_;
  const std::atomic<bool> closed_{false};
  std::mutex mutex_;  // Guards stream_ between the keeper and the main thread.
  std::shared_ptr<HdfsOutputStream> stream_;
  std::jthread keeper_;
};

}  // namespace
}  // namespace millrace::hdfs

// usage: hdfs_user HOST PORT SOCKET_TIMEOUT_MS CALL_TIMEOUT_MS [default|always|never|best-effort]
int main(int argc, char** argv) {
  using namespace millrace;
  using namespace millrace::hdfs;
  if (argc < 5) {
    return 2;
  }
  StreamOptions options;
  options.socket_timeout = std::chrono::milliseconds(std::stoi(argv[3]));
  options.call_timeout = std::chrono::milliseconds(std::stoi(argv[4]));
  const std::string policy = argc > 5 ? argv[5] : "default";
  options.replacement.best_effort = policy == "best-effort";
  options.replacement.when = policy == "always"  ? ReplacementPolicy::When::kAlways
                             : policy == "never" ? ReplacementPolicy::When::kNever
                                                 : ReplacementPolicy::When::kDefault;
  User user(argv[1], static_cast<std::uint16_t>(std::stoi(argv[2])), options);
  for (std::string line; std::getline(std::cin, line);) {
    const Result<std::string> answer = user.run(line);
    std::cout << (answer.ok() ? "ok " + *answer : "error " + answer.error().message()) << std::endl;
  }
}
