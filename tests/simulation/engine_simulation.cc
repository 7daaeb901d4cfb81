// Runs the engine on a file system that loses power, fills up and fails: numbered events through a
// file channel into files, over several lives of one agent. Every event that was acknowledged must
// be in the files at the end.
//
//   engine_simulation [--runs N] [--seed S]
//
// Each run has its own seed, printed when it fails: --runs 1 --seed THAT repeats its faults.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

#include "base/log.h"
#include "engine_run.h"

namespace millrace {
namespace {

int simulate(std::uint64_t runs, std::uint64_t seed) {
  std::printf("engine_simulation: %llu runs from seed %llu\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  set_log_level(LogLevel::kError);
  std::size_t acknowledged = 0;
  std::size_t repeats = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    EngineRun run(seed + i);
    const std::string trouble = run.go();
    if (!trouble.empty()) {
      std::printf("FAILED: %s (repeat with --runs 1 --seed %llu)\n", trouble.c_str(),
                  static_cast<unsigned long long>(seed + i));
      return 1;
    }
    acknowledged += run.acknowledged();
    repeats += run.repeats();
  }
  std::printf("%llu runs: acknowledged=%zu lost=0 repeats=%zu\n",
              static_cast<unsigned long long>(runs), acknowledged, repeats);
  return 0;
}

}  // namespace
}  // namespace millrace

int main(int argc, char** argv) {
  std::uint64_t runs = 300;
  std::uint64_t seed = std::random_device{}();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    (name == "--runs" ? runs : seed) = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return millrace::simulate(runs, seed);
}
