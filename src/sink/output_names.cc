#include "sink/output_names.h"

#include <ctime>
#include <utility>

namespace millrace {
namespace {

std::string local_second(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof(text), "%Y%m%d%H%M%S", &parts)};
}

}  // namespace

OutputNames::OutputNames(NameStyle style, std::string prefix, const std::string& extension,
                         const Clock& clock)
    : style_(style),
      prefix_(std::move(prefix)),
      extension_(extension.empty() ? extension : "." + extension),
      clock_(clock),
      moment_(style == NameStyle::kSeries ? std::to_string(clock.wall_ms()) : std::string()) {}

std::string OutputNames::next() {
  if (style_ == NameStyle::kRollTime) {
    std::string now = local_second(clock_.wall());
    if (now != moment_) {
      moment_ = std::move(now);
      number_ = 0;
    }
  }
  return prefix_ + moment_ + "-" + std::to_string(++number_) + extension_;
}

}  // namespace millrace
