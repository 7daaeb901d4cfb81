// `millrace fs text`: what is in files, unpacked and readable.
#include <cerrno>
#include <cstdio>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"
#include "cli/fs/text_output.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs text";

Result<> print(dfs::FileSystems& systems, const std::string& url) {
  const dfs::Place place = TRY(systems.find(url));
  return write_as_text(source_of(TRY(place.files->open(place.path))), place.path,
                       [](std::string_view text) {
                         return std::fwrite(text.data(), 1, text.size(), stdout) == text.size()
                                    ? Result<>()
                                    : system_error("write to standard output", errno);
                       });
}

}  // namespace

int run_fs_text(const CommandLine& line) {
  FileArguments arguments;
  Options options(kName, "Writes what is in files to standard output, as text.");
  describe_files(options, arguments, "URL", 1);
  options.footer(
      "A line a record of SequenceFiles and Avro containers; what a codec has packed, unpacked.");
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
