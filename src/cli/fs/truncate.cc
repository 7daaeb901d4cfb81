// `millrace fs truncate`: cuts a file.
#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs truncate";

std::optional<std::uint64_t> bytes_of(const std::string& text) {
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(bytes) : std::nullopt;
}

Result<> cut(dfs::FileSystems& systems, const std::string& url, std::uint64_t length,
             std::chrono::seconds patience) {
  const dfs::Place place = TRY(systems.find(url));
  if (!TRY(place.files->truncate(place.path, length))) {
    TRY(wait_until_true(patience, place.path + " is still being cut",
                        [&] { return place.files->is_closed(place.path); }));
  }
  fmt::print("{} has {} bytes\n", url, TRY(place.files->status(place.path)).length);
  return {};
}

}  // namespace

int run_fs_truncate(const CommandLine& line) {
  FileArguments arguments;
  std::optional<std::string> length_text;
  std::uint64_t wait = 60;
  Options options(kName, "Cuts closed files to a length, and waits until that is done.");
  options.text("--length", length_text, "Bytes that are kept; required.");
  options.number("--wait", wait, 0, 86'400, "Seconds to wait for the DataNodes.");
  describe_files(options, arguments, "URL", 1);
  if (const auto status = options.parse(line)) {
    return *status;
  }
  const auto length = length_text ? bytes_of(*length_text) : std::nullopt;
  if (!length) {
    return options.refuse("--length BYTES is required");
  }
  dfs::FileSystems systems = file_systems(arguments);
  for (const std::string& url : arguments.urls) {
    if (const Result<> done = cut(systems, url, *length, std::chrono::seconds(wait)); !done.ok()) {
      return fail(kName, done.error());
    }
  }
  return kDone;
}

}  // namespace millrace
