#include "cli/hammer/test_peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace millrace {

TestPeer::TestPeer(OnLine on_line)
    : on_line_(std::move(on_line)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener_, generic, size), 0);
  EXPECT_EQ(::listen(listener_, 64), 0);
  EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

TestPeer::~TestPeer() {
  thread_.request_stop();
  thread_.join();
  ::close(listener_);
}

std::vector<std::string> TestPeer::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

void TestPeer::run(const std::stop_token& stop) {
  std::map<int, std::string> begun;  // By socket: the line that is not whole yet.
  while (!stop.stop_requested()) {
    std::vector<pollfd> waits{{listener_, POLLIN, 0}};
    for (const auto& entry : begun) {
      waits.push_back({entry.first, POLLIN, 0});
    }
    ::poll(waits.data(), waits.size(), 10);
    if (waits[0].revents != 0) {
      begun[::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)] = {};
      ++connections_;
    }
    for (std::size_t i = 1; i < waits.size(); ++i) {
      const int socket = waits[i].fd;
      if (waits[i].revents != 0 && !take(socket, begun[socket])) {
        ::close(socket);
        begun.erase(socket);
      }
    }
  }
  for (const auto& entry : begun) {
    ::close(entry.first);
  }
}

bool TestPeer::take(int socket, std::string& begun) {
  char space[64 * 1024];
  const ssize_t got = ::recv(socket, space, sizeof space, 0);
  if (got <= 0) {
    return false;
  }
  begun.append(space, static_cast<std::size_t>(got));
  std::string answers;
  std::size_t from = 0;
  for (std::size_t end; (end = begun.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string line = begun.substr(from, end - from);
    const std::string answer = on_line_(line);
    if (answer == kHangUp) {
      return false;
    }
    answers += answer;
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
  }
  begun.erase(0, from);
  return answers.empty() || ::send(socket, answers.data(), answers.size(), MSG_NOSIGNAL) > 0;
}

}  // namespace millrace
