// `millrace fs recover-lease`: closes a file that nobody will close.
#include <fmt/core.h>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs recover-lease";

Result<> recover(dfs::FileSystems& systems, const std::string& url, std::chrono::seconds patience) {
  const dfs::Place place = TRY(systems.find(url));
  if (!TRY(place.files->recover_lease(place.path))) {
    TRY(wait_until_true(patience, place.path + " is still being recovered",
                        [&] { return place.files->is_closed(place.path); }));
  }
  fmt::print("{} is closed, with {} bytes\n", url, TRY(place.files->status(place.path)).length);
  return {};
}

}  // namespace

int run_fs_recover_lease(const CommandLine& line) {
  FileArguments arguments;
  std::uint64_t wait = 120;
  Options options(kName, "Ends whoever writes files, and waits until these are closed.");
  options.number("--wait", wait, 0, 86'400, "Seconds to wait for the DataNodes.");
  describe_files(options, arguments, "URL", 1);
  options.footer("A writer that lives gets an error at its next block or at the file's end.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  dfs::FileSystems systems = file_systems(arguments);
  for (const std::string& url : arguments.urls) {
    if (const Result<> done = recover(systems, url, std::chrono::seconds(wait)); !done.ok()) {
      return fail(kName, done.error());
    }
  }
  return kDone;
}

}  // namespace millrace
