// Sockets as the kernel has them: made, bound, named. What TcpServer and UdpReceiver are built
// from.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "io/descriptor.h"
#include "io/tcp_connection.h"

namespace millrace {

// A listening socket that does not block. `host`: an address or a name; empty: every address, IPv4
// and IPv6. `receive_buffer` (bytes) is what accepted connections begin with; 0: the kernel says.
// kTransient when the port is in use or the host unknown or not here, kConfig when the port is not
// for us.
Result<Descriptor> listen_on(const std::string& host, std::uint16_t port,
                             std::uint32_t receive_buffer);

// A bound socket for datagrams that does not block. Host, port and errors as above.
Result<Descriptor> bind_datagrams(const std::string& host, std::uint16_t port);

PeerAddress address_of(const sockaddr_storage& address);  // IPv4 in IPv6 is given as IPv4.
int family_of(int descriptor);                            // AF_INET, AF_INET6.
std::uint16_t local_port_of(int descriptor);              // 0 when unknown.

// The name that the resolver has for a numeric address, or the address. Remembered for the life of
// the process; blocks as long as the resolver does.
std::string hostname_of(const std::string& address);

}  // namespace millrace
