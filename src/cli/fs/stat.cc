// `millrace fs stat`: all that is known of a file.
#include <fmt/core.h>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"
#include "cli/fs/status_text.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs stat";

Result<> tell(dfs::FileSystems& systems, const std::string& url) {
  const dfs::Place place = TRY(systems.find(url));
  const dfs::FileStatus status = TRY(place.files->status(place.path));
  fmt::print("{}\n", status_line(status));
  if (!status.is_directory) {
    fmt::print("block size {}, {}\n", status.block_size,
               TRY(place.files->is_closed(place.path)) ? "closed" : "being written");
  }
  return {};
}

}  // namespace

int run_fs_stat(const CommandLine& line) {
  FileArguments arguments;
  Options options(kName, "Tells what is known of files and folders, and whether a file is closed.");
  describe_files(options, arguments, "URL", 1);
  if (const auto status = options.parse(line)) {
    return *status;
  }
  dfs::FileSystems systems = file_systems(arguments);
  for (const std::string& url : arguments.urls) {
    if (const Result<> told = tell(systems, url); !told.ok()) {
      return fail(kName, told.error());
    }
  }
  return kDone;
}

}  // namespace millrace
