// A blocking TCP client for tests. Every wait has a deadline; a failed one is a test failure.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include "io/sockets.h"
#include "io/test_socket.h"

namespace millrace {

inline constexpr std::chrono::seconds kTestPatience{20};

// Polls `done` until it is true (then true) or patience is over.
template <class Condition>
bool wait_until(const Condition& done) {
  const auto deadline = std::chrono::steady_clock::now() + kTestPatience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

class TestClient {
 public:
  explicit TestClient(std::uint16_t port)
      : socket_(testing_kit::connected_socket(SOCK_STREAM, port)) {}

  int descriptor() const { return socket_.get(); }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      ASSERT_GT(count, 0) << std::strerror(errno);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // Sends no more, still reads.
  void half_close() { ::shutdown(socket_.get(), SHUT_WR); }
  void close() { socket_ = Descriptor(); }
  // The connection ends with a reset instead of an end.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }
  // Reads until `size` bytes are there, the peer has closed, or patience is over.
  std::string receive(std::size_t size) {
    std::string got;
    char bytes[4096];
    while (got.size() < size && can_read()) {
      const ssize_t count =
          ::recv(socket_.get(), bytes, std::min(sizeof bytes, size - got.size()), 0);
      if (count <= 0) {
        break;
      }
      got.append(bytes, static_cast<std::size_t>(count));
    }
    return got;
  }
  // All that comes until the peer closes.
  std::string receive_all() { return receive(std::string::npos); }

 private:
  bool can_read() const {
    pollfd wait{socket_.get(), POLLIN, 0};
    const auto patience = std::chrono::milliseconds(kTestPatience).count();
    return ::poll(&wait, 1, static_cast<int>(patience)) == 1;
  }

  Descriptor socket_;
};

}  // namespace millrace
