#include "source/taildir/taildir_config.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "source/taildir/file_group.h"

namespace millrace {

void TaildirConfig::check(ConfigCheck& check) const {
  for (const std::string& name : groups) {
    if (const auto group = make_file_group(*this, name); !group.ok()) {
      check.fault("filegroups." + name, group.error().message());
    }
  }
  const auto is_group = [this](const std::string& name) {
    return std::find(groups.begin(), groups.end(), name) != groups.end();
  };
  for (const auto& [name, path] : paths) {
    if (!is_group(name)) {
      check.warn("filegroups." + name, "is no group of \"filegroups\" and has no effect");
    }
  }
  for (const auto& [key, value] : headers) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos || !is_group(key.substr(0, dot))) {
      check.warn("headers." + key, "names no group of \"filegroups\" and has no effect");
    }
  }
}

std::uint64_t TaildirConfig::events_per_visit() const {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  const auto puts = static_cast<std::uint64_t>(max_batch_count);
  return max_batch_count < 1 || puts > kMost / events_per_put() ? kMost : puts * events_per_put();
}

std::filesystem::path TaildirConfig::position_path() const {
  const std::string text = position_file.string();
  const char* const home = std::getenv("HOME");
  return text.starts_with("~/") && home != nullptr ? std::filesystem::path(home) / text.substr(2)
                                                   : position_file;
}

}  // namespace millrace
