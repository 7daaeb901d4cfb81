// `millrace verify`: reads files back and says what of the hammers' numbers is lost, doubled or
// sent again.
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/hammer/event_text.h"
#include "cli/hammer/report.h"
#include "cli/options.h"
#include "cli/verify/file_scan.h"
#include "cli/verify/result_output.h"

namespace millrace {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;
  std::vector<std::string> reports;
  std::optional<std::string> run;
  std::uint64_t start = 0;
  bool json = false;
  std::string junit;
};

void describe(Options& options, VerifyOptions& to) {
  options.rest("PATH", to.paths, 1, "Files and folders that sinks wrote to.");
  options.list("--sent", to.reports, "Report of a hammer: its runs alone count, to their ends.");
  options.text("--run-id", to.run, "This run alone counts.");
  options.number("--start", to.start, 0, kNumberLimit - 1, "First number, without --sent.");
  options.flag("--json", to.json, "JSON on stdout.");
  options.text("--junit", to.junit, "File for a JUnit report.");
  options.footer(
      "Prints total (different numbers read), lost (sent and not there), dups (there again "
      "without\n"
      "the hammer having sent them again) and retried (copies that the hammer sent again, "
      "marked).\n"
      "Exit status 1 when something is lost, a file cannot be read, or no hammer's event was "
      "found.");
}

Result<Tallies> prepare(const VerifyOptions& options) {
  Tallies tallies;
  for (const std::string& path : options.reports) {
    tallies.expect(TRY(read_hammer_report(path)));
  }
  if (options.run) {
    tallies.want_run(*options.run);
  }
  return tallies;
}

// True when every file could be read.
Result<bool> scan_all(const VerifyOptions& options, Tallies& tallies) {
  bool all = true;
  const std::vector<std::filesystem::path> paths(options.paths.begin(), options.paths.end());
  for (const std::filesystem::path& path : TRY(files_below(real_file_system(), paths))) {
    const Result<> scanned = scan_file(real_file_system(), path, tallies);
    if (!scanned.ok()) {
      fmt::print(stderr, "millrace verify: {}\n", scanned.error().message());
      all = false;
    }
  }
  return all;
}

Result<> write_file(const std::filesystem::path& path, std::string_view text) {
  const std::unique_ptr<File> file = TRY(real_file_system().open(path, OpenMode::kTruncate));
  return file->write_at(text, 0);
}

Result<bool> verify(const VerifyOptions& options) {
  Tallies tallies = TRY(prepare(options));
  const bool all_read = TRY(scan_all(options, tallies));
  const VerifyResult result = tallies.finish(options.start);
  fmt::print("{}", options.json ? to_json(result) : to_text(result));
  std::fflush(stdout);
  fmt::print(stderr, "{}", remarks(result));
  if (!options.junit.empty()) {
    TRY(write_file(options.junit, to_junit(result)));
  }
  if (result.hammers.empty()) {
    fmt::print(stderr, "millrace verify: no hammer's event in {} files\n", result.files);
  }
  return all_read && !result.hammers.empty() && sum_of(result).lost == 0;
}

}  // namespace

int run_verify(const CommandLine& line) {
  VerifyOptions arguments;
  Options options("verify", "Reads files back and reports what of the hammers' numbers is there.");
  describe(options, arguments);
  if (const auto status = options.parse(line)) {
    return *status;
  }
  const Result<bool> whole = verify(arguments);
  if (!whole.ok()) {
    fmt::print(stderr, "millrace verify: {}\n", whole.error().message());
    return kFailedAtWork;
  }
  return whole.value() ? kDone : kFailedAtWork;
}

}  // namespace millrace
