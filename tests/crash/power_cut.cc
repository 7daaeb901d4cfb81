// Cuts the power of a file channel again and again, at every step of a short script and at random
// steps of long ones, and looks whether everything that it committed comes back.
//
//   power_cut [--cuts N] [--seed S] [--verbose]
//
// Prints a line of summary; exit status 1 when a promise was broken.
#include <fmt/core.h>

#include <charconv>
#include <cstring>
#include <random>
#include <string_view>

#include "base/log.h"
#include "power_cut_run.h"

namespace millrace {
namespace {

constexpr int kCutsPerDisk = 5;  // Lives of one channel, one after another.
constexpr int kScriptSteps = 25;

struct Totals {
  std::uint64_t cuts = 0;
  std::uint64_t events = 0;
  std::uint64_t came_again = 0;
  std::uint64_t broken = 0;
};

void run(const PowerCutOptions& options, int cuts, Totals& totals) {
  PowerCutRun run(options);
  for (int i = 0; i < cuts; ++i) {
    ++totals.cuts;
    if (!run.run_once()) {
      ++totals.broken;
      for (const std::string& complaint : run.complaints()) {
        fmt::print("{}\n", complaint);
      }
      break;
    }
  }
  totals.events += run.offered();
  totals.came_again += run.came_again();
}

// One script, once without a cut to learn how many operations it has, then cut at each of them.
void cut_at_every_step(std::uint64_t seed, std::uint64_t most, Totals& totals) {
  PowerCutOptions options{.seed = seed, .steps = kScriptSteps, .cut_at = 1'000'000, .plain = true};
  PowerCutRun whole(options);
  whole.run_once();
  for (std::uint64_t at = 0; at < std::min(whole.operations(), most); ++at) {
    options.cut_at = static_cast<std::int64_t>(at);
    run(options, 1, totals);
  }
}

bool number_behind(std::string_view name, int argc, char** argv, int& i, std::uint64_t& out) {
  if (argv[i] != name || i + 1 >= argc) {
    return false;
  }
  const char* const text = argv[++i];
  const char* const end = text + std::strlen(text);
  return std::from_chars(text, end, out).ptr == end;
}

int run_all(int argc, char** argv) {
  std::uint64_t cuts = 500;
  std::uint64_t seed = std::random_device{}();
  set_log_level(LogLevel::kOff);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--verbose") {
      set_log_level(LogLevel::kInfo);
    } else if (!number_behind("--cuts", argc, argv, i, cuts) &&
               !number_behind("--seed", argc, argv, i, seed)) {
      fmt::print(stderr, "usage: power_cut [--cuts N] [--seed S] [--verbose]\n");
      return 2;
    }
  }
  Totals totals;
  fmt::print("seed {}\n", seed);
  cut_at_every_step(seed, cuts / 2, totals);
  for (std::uint64_t next = seed + 1; totals.cuts < cuts; ++next) {
    run({.seed = next}, kCutsPerDisk, totals);
  }
  fmt::print("power cuts: {}, events put: {}, came again: {}, broken promises: {}\n", totals.cuts,
             totals.events, totals.came_again, totals.broken);
  return totals.broken == 0 ? 0 : 1;
}

}  // namespace
}  // namespace millrace

int main(int argc, char** argv) {
  return millrace::run_all(argc, argv);
}
