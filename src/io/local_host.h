// Names of this machine, as Java's InetAddress.getLocalHost() gives them.
#pragma once

#include <string>

namespace millrace {

// What the system calls it; empty when it has no name.
std::string host_name();
// What that name resolves to: an address, and the canonical name. Empty when it does not resolve.
std::string host_address();
std::string canonical_host_name();

}  // namespace millrace
