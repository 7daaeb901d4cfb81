#include "cli/hammer/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kTerminalTick{500};
constexpr std::chrono::milliseconds kPlainTick{5000};
constexpr std::size_t kBarLetters = 24;

}  // namespace

std::string with_commas(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      text.push_back(',');
    }
    text.push_back(digits[i]);
  }
  return text;
}

std::string progress_line(std::uint64_t done, std::uint64_t whole, double per_second) {
  std::string bar;
  if (whole > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(whole));
    const auto filled = static_cast<std::size_t>(share * kBarLetters);
    bar = fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'),
                      std::string(kBarLetters - filled, '.'), share * 100);
  }
  return fmt::format("{}{} events  {} ev/s", bar, with_commas(done),
                     with_commas(static_cast<std::uint64_t>(per_second)));
}

ProgressDisplay::ProgressDisplay(bool wanted, std::uint64_t whole, SteadyTime start)
    : wanted_(wanted), terminal_(::isatty(STDERR_FILENO) == 1), whole_(whole), last_(start) {}

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
  const std::string line = progress_line(done, whole_, rate);
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
