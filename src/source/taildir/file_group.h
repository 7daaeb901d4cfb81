// A group of tailed files: where they are, which names they have, and what their events are given.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/java_regex/java_regex.h"
#include "source/taildir/taildir_config.h"

namespace millrace {

struct FileGroup {
  std::string name;
  std::filesystem::path folder;
  JavaRegex pattern;  // Of whole names.
  std::vector<std::pair<std::string, std::string>> headers;

  std::string gave_up_on;  // The last name for which the search took too long.

  bool takes(std::string_view file_name) {
    const RegexAnswer answer = pattern.matches(file_name);
    if (answer == RegexAnswer::kGaveUp) {
      gave_up_on = file_name;
    }
    return answer == RegexAnswer::kMatch;
  }
};

// kConfig for a path without a folder, or whose last part is no expression.
Result<FileGroup> make_file_group(const TaildirConfig& config, const std::string& name);

// In the order of the configuration, which passed its check.
std::vector<FileGroup> file_groups(const TaildirConfig& config);

}  // namespace millrace
