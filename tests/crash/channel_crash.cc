// Crashes a file channel on a disk in memory, and looks whether all that it promised comes back.
//
//   channel_crash [--runs N] [--seed S] [--tries N] [--points STRIDE] [--save FOLDER] [--verbose]
//
// Runs: several lives of a channel each, with all that is done to it and its disk drawn from the
// run's seed. Points: the crash at every step of a script, one in STRIDE, 0 for none. Prints a line
// of summary for each; exit status 1 when a promise was broken, with the seed and the command that
// repeats it: the order in which threads act is not drawn, so it may take some tries.
#include <fmt/core.h>

#include <atomic>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "channel_run.h"
#include "crash_points.h"

namespace millrace {
namespace {

// Runs wait much: for a disk that is full, for acknowledgements that wait for company.
constexpr std::size_t kAtOnce = 16;

struct Options {
  std::uint64_t runs = 300;
  std::uint64_t seed = std::random_device{}();
  std::uint64_t tries = 1;
  std::uint64_t points = 1;
  std::string save;
};

// The disk as files, to be looked at.
void save_disk(FakeFileSystem& files, const std::string& folder) {
  for (const char* dir : {"/a", "/b", "/c", "/check", "/backup"}) {
    const Result<std::vector<std::string>> names = files.list(dir);
    for (const std::string& name : names.ok() ? *names : std::vector<std::string>{}) {
      std::filesystem::create_directories(folder + dir);
      const std::string path = std::string(dir).append("/").append(name);
      std::ofstream(folder + path, std::ios::binary) << files.text(path);
    }
  }
}

// What the runs found together. Threads: any.
class Findings {
 public:
  explicit Findings(const Options& options) : options_(options) {}

  void add(ChannelRun& run, std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    ++runs_;
    lives_ += static_cast<std::uint64_t>(run.lives());
    events_ += run.events();
    came_again_ += run.came_again();
    const std::vector<std::string> complaints = run.complaints();
    if (complaints.empty()) {
      return;
    }
    ++broken_;
    for (const std::string& complaint : complaints) {
      fmt::print("{}\n", complaint);
    }
    fmt::print("repeat: channel_crash --runs 1 --points 0 --tries 100 --seed {}\n", seed);
    if (!options_.save.empty() && run.disk_found() != nullptr) {
      save_disk(*run.disk_found(), options_.save + "/" + std::to_string(seed));
    }
  }
  bool is_broken() const {
    const std::lock_guard lock(mutex_);
    return broken_ > 0;
  }
  void print() const {
    fmt::print("runs: {}, lives: {}, events put: {}, came again: {}, broken promises: {}\n", runs_,
               lives_, events_, came_again_, broken_);
  }

 private:
  const Options& options_;
  mutable std::mutex mutex_;  // Guards what follows.
  std::uint64_t runs_ = 0;
  std::uint64_t lives_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t came_again_ = 0;
  std::uint64_t broken_ = 0;
};

bool run_all(const Options& options) {
  Findings findings(options);
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    for (std::uint64_t i = next++; i < options.runs * options.tries && !findings.is_broken();
         i = next++) {
      const std::uint64_t seed = options.seed + i / options.tries;
      ChannelRun run(seed);
      run.go();
      findings.add(run, seed);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      workers.emplace_back(work);
    }
  }
  findings.print();
  return !findings.is_broken();
}

bool check_points(const Options& options) {
  bool passed = true;
  for (const char* dirs : {"/a", "/a,/b"}) {
    CrashPoints points(options.seed, dirs);
    points.check_all(options.points);
    for (const std::string& complaint : points.complaints()) {
      fmt::print("{}\n", complaint);
    }
    passed = passed && points.complaints().empty();
    fmt::print(
        "crash points in dataDirs={}: {}, crashes at them: {}, at the start behind: {}, "
        "broken promises: {}\n",
        dirs, points.points(), points.crashes(), points.second_crashes(),
        points.complaints().size());
  }
  return passed;
}

bool parse(int argc, char** argv, Options& options) {
  const std::map<std::string_view, std::uint64_t*> numbers{{"--runs", &options.runs},
                                                           {"--seed", &options.seed},
                                                           {"--tries", &options.tries},
                                                           {"--points", &options.points}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--verbose") {
      set_log_level(LogLevel::kInfo);
      continue;
    }
    if (++i == argc) {
      return false;
    }
    const std::string_view value = argv[i];
    if (name == "--save") {
      options.save = value;
      continue;
    }
    const auto number = numbers.find(name);
    if (number == numbers.end() ||
        std::from_chars(value.begin(), value.end(), *number->second).ptr != value.end()) {
      return false;
    }
  }
  return true;
}

int main_of(int argc, char** argv) {
  set_log_level(LogLevel::kOff);
  Options options;
  if (!parse(argc, argv, options)) {
    fmt::print(stderr,
               "usage: channel_crash [--runs N] [--seed S] [--tries N] [--points STRIDE] [--save "
               "FOLDER] [--verbose]\n");
    return 2;
  }
  fmt::print("seed {}\n", options.seed);
  const bool points_passed = options.points == 0 || check_points(options);
  const bool runs_passed = options.runs == 0 || run_all(options);
  return points_passed && runs_passed ? 0 : 1;
}

}  // namespace
}  // namespace millrace

int main(int argc, char** argv) {
  return millrace::main_of(argc, argv);
}
