#include "cli/address.h"

#include <fmt/core.h>
#include <netdb.h>

#include <cstring>

namespace millrace {

Result<SocketAddress> resolve(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    return transient(fmt::format("{}: {}", host, ::gai_strerror(error)));
  }
  SocketAddress to;
  to.bytes = found->ai_addrlen;
  std::memcpy(&to.address, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  return to;
}

}  // namespace millrace
