// Runs the engine on a file system that loses power, fills up and fails: numbered events through a
// file channel into files, over several lives of one agent. Every event that was acknowledged must
// be in the files at the end; with delivery exactly once, once.
//
//   engine_simulation [--runs N] [--seed S]
//
// Each run has its own seed, printed when it fails: --runs 1 --seed THAT repeats its faults.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "engine_run.h"

namespace millrace {
namespace {

// Runs wait much: for a disk that is full, for a sink that backs off.
constexpr std::size_t kAtOnce = 8;

// What the runs found together. Threads: any.
class Findings {
 public:
  void add(const EngineRun& run, const std::string& trouble, std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    acknowledged_ += run.acknowledged();
    repeats_ += run.repeats();
    if (!trouble.empty()) {
      failed_ = true;
      std::printf("FAILED: %s (repeat with --runs 1 --seed %llu)\n", trouble.c_str(),
                  static_cast<unsigned long long>(seed));
    }
  }
  bool failed() const {
    const std::lock_guard lock(mutex_);
    return failed_;
  }
  void print(std::uint64_t runs) const {
    const std::lock_guard lock(mutex_);
    std::printf("%llu runs: acknowledged=%zu lost=0 repeats=%zu\n",
                static_cast<unsigned long long>(runs), acknowledged_, repeats_);
  }

 private:
  mutable std::mutex mutex_;  // Guards what follows.
  std::size_t acknowledged_ = 0;
  std::size_t repeats_ = 0;
  bool failed_ = false;
};

int simulate(std::uint64_t runs, std::uint64_t seed) {
  std::printf("engine_simulation: %llu runs from seed %llu\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  set_log_level(LogLevel::kError);
  Findings findings;
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    for (std::uint64_t i = next++; i < runs && !findings.failed(); i = next++) {
      EngineRun run(seed + i);
      findings.add(run, run.go(), seed + i);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      workers.emplace_back(work);
    }
  }
  if (findings.failed()) {
    return 1;
  }
  findings.print(runs);
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
