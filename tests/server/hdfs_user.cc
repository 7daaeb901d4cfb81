// Writes and reads files of HDFS as it is told on its standard input, a command a line, each
// answered by a line: "ok …" or "error …". What is written is a pattern by which each byte is known
// from its place. Driven by hdfs_streams.py.
//
//   create PATH BLOCK_SIZE REPLICATION hflush|hsync
//   append PATH
//   write COUNT
//   write_slowly COUNT MILLISECONDS     a pause after each 64 KiB
//   hflush, hsync, close, abandon, live
//   read PATH, recover PATH
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "client/hdfs/hdfs_file_system.h"

namespace millrace::hdfs {
namespace {

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
  User(RpcTarget target, Options options) : files_(std::move(target), std::move(options)) {}

  Result<std::string> run(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    std::string path;
    words >> command;
    if (command == "create") {
      dfs::CreateOptions options;
      std::string durability;
      words >> path >> options.block_size >> options.replication >> durability;
      options.durability =
          durability == "hsync" ? dfs::Durability::kHsync : dfs::Durability::kHflush;
      stream_ = TRY(files_.create(path, options));
      return length();
    }
    if (command == "append") {
      words >> path;
      stream_ = TRY(files_.append(path, dfs::Durability::kHflush));
      return length();
    }
    if (command == "read" || command == "recover") {
      words >> path;
      return command == "read" ? read(path) : recover(path);
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
  std::string length() const { return std::to_string(stream_->length()); }

  Result<std::string> write(std::uint64_t count, int pause_ms) {
    constexpr std::uint64_t kPiece = 64 * 1024;
    while (count > 0) {
      const std::uint64_t part = std::min(count, kPiece);
      TRY(stream_->write(pattern_bytes(stream_->length(), part)));
      count -= part;
      std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
    return length();
  }
  Result<std::string> end_or_flush(const std::string& command) {
    if (command == "hflush" || command == "hsync") {
      TRY(stream_->flush(command == "hsync" ? dfs::Durability::kHsync : dfs::Durability::kHflush));
    } else if (command == "close") {
      TRY(stream_->close());
    } else if (command == "abandon") {
      stream_->abandon();
    } else if (command == "live") {
      return std::to_string(stream_->live_replicas());
    } else {
      return bad_config("no such command: " + command);
    }
    return length();
  }
  Result<std::string> read(const std::string& path) {
    const auto stream = TRY(files_.open(path));
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
    TRY(files_.recover_lease(path));
    for (int n = 0; n < 600; ++n) {
      if (TRY(files_.is_closed(path))) {
        return std::string("closed");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return transient("not closed in a minute");
  }

  HdfsFileSystem files_;
  std::unique_ptr<dfs::OutputStream> stream_;
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
  Options options;
  StreamOptions& streams = options.streams;
  streams.socket_timeout = std::chrono::milliseconds(std::stoi(argv[3]));
  streams.call_timeout = std::chrono::milliseconds(std::stoi(argv[4]));
  const std::string policy = argc > 5 ? argv[5] : "default";
  streams.replacement.best_effort = policy == "best-effort";
  streams.replacement.when = policy == "always"  ? ReplacementPolicy::When::kAlways
                             : policy == "never" ? ReplacementPolicy::When::kNever
                                                 : ReplacementPolicy::When::kDefault;
  User user(
      {.host = argv[1], .port = static_cast<std::uint16_t>(std::stoi(argv[2])), .user = "root"},
      options);
  for (std::string line; std::getline(std::cin, line);) {
    const Result<std::string> answer = user.run(line);
    std::cout << (answer.ok() ? "ok " + *answer : "error " + answer.error().message()) << std::endl;
  }
}
