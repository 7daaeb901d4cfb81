// Sends datagrams in tests.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/sockets.h"
#include "io/test_socket.h"

namespace millrace {

// From a port of its own to one of 127.0.0.1.
class UdpTestClient {
 public:
  explicit UdpTestClient(std::uint16_t port)
      : socket_(testing_kit::connected_socket(SOCK_DGRAM, port)) {}
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
