#include "cli/fs/status_text.h"

#include <fmt/core.h>

#include "cli/times.h"

namespace millrace {
namespace {

constexpr std::uint32_t kSticky = 01000;

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

}  // namespace

std::string permission_text(const dfs::FileStatus& status) {
  std::string text(1, status.is_directory ? 'd' : '-');
  for (int bit = 8; bit >= 0; --bit) {
    const bool set = (status.permissions >> bit & 1) != 0;
    text.push_back(set ? "xwr"[bit % 3] : '-');
  }
  if ((status.permissions & kSticky) != 0) {
    text.back() = text.back() == 'x' ? 't' : 'T';
  }
  return text;
}

std::string status_line(const dfs::FileStatus& status) {
  const auto modified_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(status.modified.time_since_epoch())
          .count();
  return fmt::format("{}  {:>2}  {:<10} {:<12} {:>12}  {}  {}", permission_text(status),
                     status.is_directory ? "-" : std::to_string(status.replication),
                     or_dash(status.owner), or_dash(status.group), status.length,
                     time_text(modified_ms), status.path);
}

}  // namespace millrace
