#include "client/dfs/url.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace millrace::dfs {
namespace {

Result<std::string> clean_path(std::string_view path, const std::string& url) {
  if (!path.starts_with('/')) {
    return bad_config(fmt::format("\"{}\": the path must begin with a slash", url));
  }
  std::string clean;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (part == "." || part == "..") {
      return bad_config(fmt::format("\"{}\": a path with \"{}\" in it", url, part));
    }
    if (!part.empty()) {
      clean.append("/").append(part);
    }
  }
  return clean.empty() ? "/" : clean;
}

}  // namespace

Result<Url> parse_url(const std::string& text) {
  Url url;
  std::string_view rest = text;
  const std::size_t colon = rest.find(':');
  if (colon < rest.find('/')) {
    url.scheme = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
  }
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    url.authority = rest.substr(0, end);
    rest.remove_prefix(end);
  }
  url.path = TRY(clean_path(rest.empty() ? "/" : rest, text));
  return url;
}

Result<HostAndPort> parse_authority(const std::string& authority, std::uint16_t default_port) {
  HostAndPort found{authority, default_port};
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string::npos && authority.find(']', colon) == std::string::npos) {
    const char* end = authority.data() + authority.size();
    const auto read = std::from_chars(authority.data() + colon + 1, end, found.port);
    if (read.ec != std::errc() || read.ptr != end || found.port == 0) {
      return bad_config(fmt::format("\"{}\": no port", authority));
    }
    found.host.resize(colon);
  }
  if (found.host.starts_with('[') && found.host.ends_with(']')) {
    found.host = found.host.substr(1, found.host.size() - 2);
  }
  if (found.host.empty() || found.host.find('@') != std::string::npos) {
    return bad_config(fmt::format("\"{}\": no host", authority));
  }
  return found;
}

}  // namespace millrace::dfs
