// Where a file is: scheme, authority and path.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace millrace::dfs {

struct Url {
  std::string scheme;  // Empty where the default file system is meant.
  std::string authority;
  std::string path;  // Absolute; without empty parts and without a slash at its end.
};

// kConfig for one that is not absolute or has "." or ".." in it.
Result<Url> parse_url(const std::string& text);

struct HostAndPort {
  std::string host;
  std::uint16_t port = 0;
};

// "nn", "nn:8020", "[::1]:8020". kConfig for another.
Result<HostAndPort> parse_authority(const std::string& authority, std::uint16_t default_port);

}  // namespace millrace::dfs
