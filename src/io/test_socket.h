// Sockets of clients in tests.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "io/descriptor.h"

namespace millrace::testing_kit {

// A blocking one of SOCK_STREAM or SOCK_DGRAM, from a port of its own to one of 127.0.0.1.
inline Descriptor connected_socket(int type, std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0)
      << std::strerror(errno);
  return socket;
}

}  // namespace millrace::testing_kit
