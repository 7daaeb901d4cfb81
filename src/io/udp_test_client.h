// Sends datagrams in tests.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/sockets.h"

namespace millrace {

// From a port of its own to one of 127.0.0.1.
class UdpTestClient {
 public:
  explicit UdpTestClient(std::uint16_t port)
      : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0)
        << std::strerror(errno);
  }
  void send(std::string_view datagram) {
    EXPECT_EQ(::send(socket_.get(), datagram.data(), datagram.size(), 0),
              static_cast<ssize_t>(datagram.size()))
        << std::strerror(errno);
  }
  std::uint16_t port() const { return local_port_of(socket_.get()); }

 private:
  Descriptor socket_;
};

}  // namespace millrace
