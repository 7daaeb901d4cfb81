// What the commands of `millrace fs` share: whose files, where, and what is wrong.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "client/dfs/file_systems.h"

namespace millrace {

struct FileArguments {
  dfs::FileSystemsConfig config = dfs::config_of_process();
  std::string hadoop_conf;
  std::uint64_t timeout = 0;  // Seconds.
  std::vector<std::string> urls;
};

// Names --conf, --user, --timeout, and the URLs, as "URL...".
void describe_files(Options& options, FileArguments& arguments, const std::string& name,
                    std::size_t least);

// With what the options said.
dfs::FileSystems file_systems(const FileArguments& arguments);

// Asks again and again until it says true; ETIMEDOUT after `patience`.
Result<> wait_until_true(std::chrono::seconds patience, const std::string& what,
                         const std::function<Result<bool>()>& done);

}  // namespace millrace
