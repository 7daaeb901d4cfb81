#include "io/sockets.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace millrace {
namespace {

constexpr int kBacklog = 4096;                 // The kernel cuts it to net.core.somaxconn.
constexpr std::size_t kMostKnownHosts = 4096;  // Names remembered.

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const std::string& host, std::uint16_t port, int type, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = type;
  hints.ai_flags = AI_NUMERICSERV | flags;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(host.empty() ? nullptr : host.c_str(),
                                   std::to_string(port).c_str(), &hints, &found);
  if (status != 0) {
    return transient(fmt::format("host \"{}\": {}", host, ::gai_strerror(status)));
  }
  return Addresses(found, &::freeaddrinfo);
}

Error listen_error(const std::string& host, std::uint16_t port, int number) {
  const std::string where = fmt::format("cannot listen on {}:{}", host.empty() ? "*" : host, port);
  if (number == EADDRINUSE) {
    return transient(where + ": another program (or another source) has this port in use");
  }
  if (number == EACCES) {
    return bad_config(where + ": not allowed to this user (ports below 1024 need privileges)");
  }
  return system_error(where, number);
}

Descriptor make_socket(const addrinfo& address) {
  Descriptor socket(::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                             address.ai_protocol));
  if (socket && address.ai_family == AF_INET6) {
    const int off = 0;
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  }
  return socket;
}

// One try; errno says why not.
Descriptor try_listen(const addrinfo& address, std::uint32_t receive_buffer) {
  Descriptor socket = make_socket(address);
  if (!socket) {
    return {};
  }
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (receive_buffer > 0) {
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  if (::bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      ::listen(socket.get(), kBacklog) != 0) {
    return {};
  }
  return socket;
}

// Another socket on the port would take datagrams from this one: no SO_REUSEADDR.
Descriptor try_bind(const addrinfo& address) {
  Descriptor socket = make_socket(address);
  if (socket && ::bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0) {
    return {};
  }
  return socket;
}

// What `try_one` makes of the first address of the host that will do.
Result<Descriptor> open_first(const std::string& host, std::uint16_t port, int type,
                              const std::function<Descriptor(const addrinfo&)>& try_one) {
  const Addresses addresses = TRY(resolve(host, port, type, AI_PASSIVE));
  int number = EADDRNOTAVAIL;
  // For "every address" IPv6 comes first, since its socket takes IPv4 too.
  for (const bool first : {true, false}) {
    for (const addrinfo* at = addresses.get(); at != nullptr; at = at->ai_next) {
      if (host.empty() && first != (at->ai_family == AF_INET6)) {
        continue;
      }
      Descriptor socket = try_one(*at);
      if (socket) {
        return socket;
      }
      number = errno;
      if (number == EADDRINUSE) {
        return listen_error(host, port, number);
      }
    }
  }
  return listen_error(host, port, number);
}

// Zeros when it is not bound.
sockaddr_storage bound_address(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

std::string look_up_hostname(const std::string& address) {
  const auto found = resolve(address, 0, SOCK_STREAM, AI_NUMERICHOST);
  char name[NI_MAXHOST];
  if (found.ok() && ::getnameinfo(found.value()->ai_addr, found.value()->ai_addrlen, name,
                                  sizeof name, nullptr, 0, NI_NAMEREQD) == 0) {
    return name;
  }
  return address;
}

}  // namespace

Result<Descriptor> listen_on(const std::string& host, std::uint16_t port,
                             std::uint32_t receive_buffer) {
  return open_first(host, port, SOCK_STREAM,
                    [&](const addrinfo& address) { return try_listen(address, receive_buffer); });
}

Result<Descriptor> bind_datagrams(const std::string& host, std::uint16_t port) {
  return open_first(host, port, SOCK_DGRAM, try_bind);
}

PeerAddress address_of(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    ::inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
    return {text, ntohs(in.sin_port)};
  }
  if (address.ss_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &address, sizeof in);
    if (IN6_IS_ADDR_V4MAPPED(&in.sin6_addr)) {
      ::inet_ntop(AF_INET, in.sin6_addr.s6_addr + 12, text, sizeof text);
    } else {
      ::inet_ntop(AF_INET6, &in.sin6_addr, text, sizeof text);
    }
    return {text, ntohs(in.sin6_port)};
  }
  return {};
}

int family_of(int descriptor) {
  return bound_address(descriptor).ss_family;
}

std::uint16_t local_port_of(int descriptor) {
  return address_of(bound_address(descriptor)).port;
}

std::string hostname_of(const std::string& address) {
  static std::mutex mutex;  // Guards known.
  static std::map<std::string, std::string> known;
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(address);
    if (found != known.end()) {
      return found->second;
    }
  }
  std::string name = look_up_hostname(address);
  const std::lock_guard lock(mutex);
  if (known.size() < kMostKnownHosts) {
    known.emplace(address, name);
  }
  return name;
}

}  // namespace millrace
