// `millrace fs ls`: a line for each entry of a folder, as Hadoop's own has it.
#include <fmt/core.h>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"
#include "cli/fs/status_text.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs ls";

Result<> list(dfs::FileSystems& systems, const std::string& url) {
  const dfs::Place place = TRY(systems.find(url));
  for (const dfs::FileStatus& status : TRY(place.files->list(place.path))) {
    fmt::print("{}\n", status_line(status));
  }
  return {};
}

}  // namespace

int run_fs_ls(const CommandLine& line) {
  FileArguments arguments;
  Options options(kName, "Lists folders, by name; of a file, itself.");
  describe_files(options, arguments, "URL", 1);
  if (const auto status = options.parse(line)) {
    return *status;
  }
  dfs::FileSystems systems = file_systems(arguments);
  for (const std::string& url : arguments.urls) {
    if (const Result<> listed = list(systems, url); !listed.ok()) {
      return fail(kName, listed.error());
    }
  }
  return kDone;
}

}  // namespace millrace
