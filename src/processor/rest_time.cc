#include "processor/rest_time.h"

#include <fmt/format.h>

#include <algorithm>

namespace millrace {
namespace {

// 2^30 s are 34 years: no rest is that long.
constexpr int kMostDoublings = 30;

std::string time_text(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{} s", time.count() / 1000)
                                  : fmt::format("{} ms", time.count());
}

}  // namespace

std::chrono::milliseconds rest_time(int failures, std::chrono::milliseconds most) {
  const std::chrono::milliseconds time =
      std::chrono::seconds(1) * (std::int64_t{1} << std::clamp(failures, 0, kMostDoublings));
  return std::min(time, most);
}

std::string rest_text(std::chrono::milliseconds most) {
  const std::chrono::milliseconds first = rest_time(1, most);
  if (first == most) {
    return "rests " + time_text(most);
  }
  return fmt::format("rests {}, twice as long each time, {} at most", time_text(first),
                     time_text(most));
}

}  // namespace millrace
