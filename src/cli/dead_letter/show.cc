// `millrace dead-letter show`: the letters themselves.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "cli/channel/event_output.h"
#include "cli/dead_letter/commands.h"
#include "cli/dead_letter/letters.h"
#include "cli/options.h"
#include "cli/times.h"
#include "core/headers.h"
#include "web/json_text.h"

namespace millrace {
namespace {

constexpr std::size_t kMostBodyShown = 200;

struct ShowOptions {
  std::vector<std::string> paths;
  std::string reason;
  std::uint64_t limit = 20;
  bool json = false;
};

// For a terminal: other letters than those of ASCII stay, control characters go.
std::string shown(std::string_view text, std::size_t most = std::string_view::npos) {
  std::string line(text.substr(0, most));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; }, '.');
  return line;
}

void print_text(const std::string& file, const Letter& letter) {
  fmt::print("{} number {}\n", file, letter.number);
  fmt::print("  rejected  {} by {}, taken from {}\n",
             letter.time_ms ? time_text(*letter.time_ms) : "-", shown(letter.component),
             shown(letter.taken_from));
  fmt::print("  reason    {}\n", shown(letter.reason));
  const std::string block = letter.event_headers();
  for (const auto& [key, value] : HeaderView(block)) {
    fmt::print("  header    {} = {}\n", shown(key), shown(value));
  }
  fmt::print(
      "  body      {}{}\n", shown(letter.body, kMostBodyShown),
      letter.body.size() > kMostBodyShown ? fmt::format("… ({} bytes)", letter.body.size()) : "");
}

// As `channel export` gives events, with the file in front.
void print_json(const std::string& file, const Letter& letter) {
  const std::string event =
      json_line({letter.number, letter.time_ms.value_or(0), letter.headers, letter.body});
  fmt::print("{{\"file\":{},{}\n", json_string(file), std::string_view(event).substr(1));
}

Result<> show(const ShowOptions& options) {
  FileSystem& files = real_file_system();
  std::uint64_t printed = 0;
  std::vector<std::string> notes;
  for (const std::filesystem::path& path : TRY(letter_files_at(files, options.paths.front()))) {
    const std::string name = path.filename().string();
    const auto print = [&](const Letter& letter) -> Result<bool> {
      if (letter.reason.find(options.reason) != std::string_view::npos) {
        (options.json ? print_json : print_text)(name, letter);
        ++printed;
      }
      return options.limit == 0 || printed < options.limit;
    };
    TRY(read_letters(files, path, print, notes));
    if (options.limit > 0 && printed >= options.limit) {
      break;
    }
  }
  std::fflush(stdout);
  for (const std::string& note : notes) {
    fmt::print(stderr, "{}\n", note);
  }
  return {};
}

}  // namespace

int run_dead_letter_show(const CommandLine& line) {
  ShowOptions arguments;
  Options options("dead-letter show", "Prints letters, the oldest file first.");
  options.rest("PATH", arguments.paths, 1, "The folder, or one file of it.");
  options.text("--reason", arguments.reason, "Only letters with this in their reason.");
  options.number("--limit", arguments.limit, 0, UINT64_MAX, "Most letters to print; 0: all.");
  options.flag("--json", arguments.json, "A JSON object a line, with the whole body.");
  options.footer("Changes nothing; agents may go on writing there.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (arguments.paths.size() > 1) {
    return options.refuse("one PATH at a time");
  }
  if (const Result<> shown_all = show(arguments); !shown_all.ok()) {
    fmt::print(stderr, "millrace dead-letter show: {}\n", shown_all.error().message());
    return kFailedAtWork;
  }
  return kDone;
}

}  // namespace millrace
