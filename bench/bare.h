// What the bare loops share: how the rig sees them start, and how they tell how far they are.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bare {

constexpr std::size_t kPage = 4096;

[[noreturn]] inline void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

// To a place a few bytes into a page the kernel copies half as fast: buffers begin at pages.
inline char* pages(std::size_t bytes) {
  return static_cast<char*>(std::aligned_alloc(kPage, bytes));
}

inline int listen_on(int port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, 16) != 0) {
    fail("listen");
  }
  return listener;
}

// Runs a command in a shell; the reading end of its output, a pipe of 1 MiB, as the exec source's.
inline int run_command(const char* command) {
  std::FILE* const child = ::popen(command, "r");
  if (child == nullptr) {
    fail(command);
  }
  ::fcntl(::fileno(child), F_SETPIPE_SZ, 1 << 20);
  return ::fileno(child);
}

// Keeps the number of bytes done in a file, as decimal text.
class Count {
 public:
  explicit Count(const char* path) : file_(::open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644)) {
    if (file_ < 0) {
      fail(path);
    }
  }
  void add(std::size_t bytes) { bytes_ += bytes; }
  void write() {
    const std::string text = std::to_string(bytes_) + "\n";
    if (::pwrite(file_, text.data(), text.size(), 0) < 0) {
      fail("count");
    }
    written_ = bytes_;
  }
  void write_now_and_then() {
    if (bytes_ - written_ >= kStep) {
      write();
    }
  }

 private:
  static constexpr std::size_t kStep = 8 << 20;
  const int file_;
  std::size_t bytes_ = 0;
  std::size_t written_ = 0;
};

}  // namespace bare
