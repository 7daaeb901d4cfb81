#include "cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/words.h"

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kTerminalTick{500};
constexpr std::chrono::milliseconds kPlainTick{5000};
constexpr std::size_t kBarLetters = 24;

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t whole, double per_second,
                          ProgressUnit unit) {
  std::string bar;
  if (whole > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(whole));
    const auto filled = static_cast<std::size_t>(share * kBarLetters);
    bar = fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'),
                      std::string(kBarLetters - filled, '.'), share * 100);
  }
  const auto rate = static_cast<std::uint64_t>(per_second);
  if (unit == ProgressUnit::kBytes) {
    return fmt::format("{}{}  {}/s", bar, size_text(done), size_text(rate));
  }
  return fmt::format("{}{} events  {} ev/s", bar, with_commas(done), with_commas(rate));
}

ProgressDisplay::ProgressDisplay(bool wanted, std::uint64_t whole, SteadyTime start,
                                 ProgressUnit unit)
    : wanted_(wanted),
      terminal_(::isatty(STDERR_FILENO) == 1),
      whole_(whole),
      unit_(unit),
      last_(start) {}

ProgressDisplay::ProgressDisplay(std::uint64_t whole, ProgressUnit unit)
    : ProgressDisplay(::isatty(STDERR_FILENO) == 1, whole, std::chrono::steady_clock::now(), unit) {
}

void ProgressDisplay::show(std::uint64_t done, SteadyTime now) {
  if (wanted_ && now - last_ >= (terminal_ ? kTerminalTick : kPlainTick)) {
    draw(done, now);
  }
}

void ProgressDisplay::end(std::uint64_t done, SteadyTime now) {
  if (wanted_ && terminal_) {
    draw(done, now);
    fmt::print(stderr, "\n");
  }
}

void ProgressDisplay::draw(std::uint64_t done, SteadyTime now) {
  const std::chrono::duration<double> passed = now - last_;
  const double rate =
      passed.count() > 0 ? static_cast<double>(done - last_done_) / passed.count() : 0;
  const std::string line = progress_line(done, whole_, rate, unit_);
  if (terminal_) {
    fmt::print(stderr, "\r{:<78}", line);
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
  last_ = now;
  last_done_ = done;
}

}  // namespace millrace
