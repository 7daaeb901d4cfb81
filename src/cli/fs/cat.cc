// `millrace fs cat`: the bytes of files.
#include <cerrno>
#include <cstdio>
#include <vector>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs cat";
constexpr std::size_t kAtOnce = 1024 * 1024;

Result<> print(dfs::FileSystems& systems, const std::string& url) {
  const dfs::Place place = TRY(systems.find(url));
  const std::unique_ptr<dfs::InputStream> in = TRY(place.files->open(place.path));
  std::vector<char> space(kAtOnce);
  for (std::uint64_t offset = 0;;) {
    const std::size_t count = TRY(in->read_at(space, offset));
    if (count == 0) {
      return {};
    }
    if (std::fwrite(space.data(), 1, count, stdout) != count) {
      return system_error("write to standard output", errno);
    }
    offset += count;
  }
}

}  // namespace

int run_fs_cat(const CommandLine& line) {
  FileArguments arguments;
  Options options(kName, "Writes files to standard output, one behind the other, as they are.");
  describe_files(options, arguments, "URL", 1);
  options.footer("Of a file that is being written, what its writer has flushed.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  dfs::FileSystems systems = file_systems(arguments);
  for (const std::string& url : arguments.urls) {
    if (const Result<> printed = print(systems, url); !printed.ok()) {
      return fail(kName, printed.error());
    }
  }
  return kDone;
}

}  // namespace millrace
