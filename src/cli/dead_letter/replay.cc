// `millrace dead-letter replay`: a second try for what was rejected.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/dead_letter/commands.h"
#include "cli/dead_letter/letter_replay.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/words.h"

namespace millrace {
namespace {

struct ReplayOptions {
  std::vector<std::string> paths;
  std::string into;
  std::string reason;
};

void print_left_out(const LeftOut& left, std::string_view why) {
  if (left.letters > 0) {
    fmt::print("{} left out, {}: {}{}\n", counted(left.letters, "letter"), why,
               fmt::join(left.examples, ", "), left.letters > left.examples.size() ? ", …" : "");
  }
}

void report(const LetterReplay& replay, const std::string& into) {
  fmt::print("{} sent to {} and stored there\n", counted(replay.sent(), "letter"), into);
  if (replay.without_headers() > 0) {
    fmt::print("{} of them had headers, which stayed behind: a line carries the body alone\n",
               with_commas(replay.without_headers()));
  }
  print_left_out(replay.impassable(), "with a line end in them (--into FILE.avro takes them)");
  print_left_out(replay.refused(), "refused there for good");
  std::fflush(stdout);
  for (const std::string& note : replay.notes()) {
    fmt::print(stderr, "{}\n", note);
  }
}

// Whether everything that was to be sent has arrived.
Result<bool> replay(const ReplayOptions& options) {
  SystemClock clock;
  std::optional<ProgressDisplay> display;
  LetterReplay::Plan plan{std::filesystem::absolute(options.paths.front()), options.reason};
  plan.progress = [&display](std::uint64_t done) { display->show(done); };
  LetterReplay work(real_file_system(), clock, std::move(plan));
  const std::uint64_t wanted = TRY(work.prepare());
  if (wanted == 0) {
    fmt::print("nothing to replay\n");
    return true;
  }
  const std::unique_ptr<LetterDestination> to =
      TRY(open_letter_destination(real_file_system(), options.into));
  display.emplace(wanted, ProgressUnit::kEvents);
  Result<> sent = work.run(*to);
  display->end(work.sent());
  report(work, options.into);
  TRY(std::move(sent));
  return work.impassable().letters == 0 && work.refused().letters == 0;
}

}  // namespace

int run_dead_letter_replay(const CommandLine& line) {
  ReplayOptions arguments;
  Options options("dead-letter replay", "Sends the events of letters again, each once.");
  options.rest("PATH", arguments.paths, 1, "The folder, or one file of it.");
  options.text("--into", arguments.into, "HOST:PORT of a netcat source, or FILE.avro.");
  options.text("--reason", arguments.reason, "Only letters with this in their reason.");
  options.footer(
      "What has arrived is noted beside each file, in NAME.replayed, and not sent again; remove "
      "that\nto replay the file once more. The events go without the headers of the dead letter. A "
      "netcat\nsource gets the bodies, a line each, and no headers; FILE.avro gets all.\n"
      "Exit status 1 when a letter is left.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (arguments.paths.size() > 1) {
    return options.refuse("one PATH at a time");
  }
  if (arguments.into.empty()) {
    return options.refuse("needs --into");
  }
  if (!arguments.into.ends_with(".avro") && arguments.into.rfind(':') == std::string::npos) {
    return options.refuse("--into: expected HOST:PORT or FILE.avro");
  }
  const Result<bool> whole = replay(arguments);
  if (!whole.ok()) {
    fmt::print(stderr, "millrace dead-letter replay: {}\n", whole.error().message());
    return kFailedAtWork;
  }
  return *whole ? kDone : kFailedAtWork;
}

}  // namespace millrace
