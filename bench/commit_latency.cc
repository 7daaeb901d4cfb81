// How long one small event waits for its commit, beside a bare write and fdatasync, in turn.
//
// usage: commit_latency PORT FILE ROUNDS PAUSE_MS EVENT_BYTES
// A round: sends a line to the netcat source on 127.0.0.1:PORT, waits for its OK, pauses; writes a
// block of 4 KiB, which is what the channel writes for such an event, over one of FILE's that was
// written before, syncs it, pauses. Prints a line a round: nanoseconds of the one, and of the
// other.
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "bare.h"

namespace {

using Clock = std::chrono::steady_clock;

int connect_to(int port) {
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    bare::fail("connect");
  }
  return client;
}

void commit_event(int client, const std::string& line) {
  if (::send(client, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size())) {
    bare::fail("send");
  }
  std::array<char, 256> answer{};
  const ssize_t bytes = ::recv(client, answer.data(), answer.size(), 0);
  if (bytes != 3 || std::memcmp(answer.data(), "OK\n", 3) != 0) {
    std::fputs("no OK\n", stderr);
    std::exit(1);
  }
}

int blocks(const char* path, int count, const char* block) {
  const int file = ::open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (file < 0) {
    bare::fail(path);
  }
  for (int i = 0; i < count; ++i) {
    if (::pwrite(file, block, bare::kPage, i * static_cast<off_t>(bare::kPage)) < 0) {
      bare::fail("pwrite");
    }
  }
  if (::fsync(file) != 0) {
    bare::fail("fsync");
  }
  return file;
}

void commit_block(int file, int number, const char* block) {
  if (::pwrite(file, block, bare::kPage, number * static_cast<off_t>(bare::kPage)) < 0 ||
      ::fdatasync(file) != 0) {
    bare::fail("write");
  }
}

template <typename Action>
long long nanoseconds_of(const Action& action) {
  const Clock::time_point begin = Clock::now();
  action();
  return std::chrono::nanoseconds(Clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: commit_latency PORT FILE ROUNDS PAUSE_MS EVENT_BYTES\n", stderr);
    return 2;
  }
  const int rounds = std::atoi(argv[3]);
  const std::chrono::milliseconds pause(std::atoi(argv[4]));
  const std::string line = std::string(std::strtoull(argv[5], nullptr, 10), 'x') + "\n";
  char* const block = bare::pages(bare::kPage);
  std::memset(block, 'x', bare::kPage);
  const int client = connect_to(std::atoi(argv[1]));
  const int file = blocks(argv[2], rounds, block);
  for (int round = 0; round < rounds; ++round) {
    const auto event = nanoseconds_of([&] { commit_event(client, line); });
    std::this_thread::sleep_for(pause);
    const auto bare = nanoseconds_of([&] { commit_block(file, round, block); });
    std::this_thread::sleep_for(pause);
    std::printf("%lld %lld\n", event, bare);
  }
  return 0;
}
