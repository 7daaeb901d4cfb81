// `millrace dead-letter ls`: how many letters lie in a folder, why, and from when.
#include <fmt/core.h>

#include <cstdio>

#include "cli/dead_letter/commands.h"
#include "cli/dead_letter/letter_totals.h"
#include "cli/options.h"

namespace millrace {

int run_dead_letter_ls(const CommandLine& line) {
  std::vector<std::string> paths;
  bool json = false;
  Options options("dead-letter ls", "Counts the letters of a folder, by file and by reason.");
  options.rest("PATH", paths, 1, "The folder, or one file of it.");
  options.flag("--json", json, "JSON on stdout.");
  options.footer("Changes nothing; agents may go on writing there.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (paths.size() > 1) {
    return options.refuse("one PATH at a time");
  }
  const Result<LetterTotals> counted = count_letters(real_file_system(), paths.front());
  if (!counted.ok()) {
    fmt::print(stderr, "millrace dead-letter ls: {}\n", counted.error().message());
    return kFailedAtWork;
  }
  const LetterTotals& totals = *counted;
  fmt::print("{}", json ? to_json(totals) : to_text(totals));
  std::fflush(stdout);
  for (const std::string& note : totals.notes) {
    fmt::print(stderr, "{}\n", note);
  }
  return kDone;
}

}  // namespace millrace
