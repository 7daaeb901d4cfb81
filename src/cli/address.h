// Where a command connects to.
#pragma once

#include <netinet/in.h>

#include <string>

#include "base/result.h"

namespace millrace {

struct SocketAddress {
  sockaddr_storage address{};
  socklen_t bytes = 0;
};

// The first address of `host`; kTransient when there is none.
Result<SocketAddress> resolve(const std::string& host, const std::string& port);

}  // namespace millrace
