#include "source/stress.h"

#include <algorithm>
#include <limits>

#include "core/registry.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kIdle{1000};
constexpr milliseconds kMemoryRetry{5};

}  // namespace

StressSource::StressSource(Config config, SourceContext context)
    : ThreadSource(std::move(context)),
      config_(config),
      body_(config_.size, '\x7f'),
      builder_(space_) {}

StressSource::~StressSource() {
  stop(SteadyTime{});
}

// Puts that wait for their answer count as accepted: one that fails is made up for.
std::int64_t StressSource::events_left() const {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  if (config_.max_total_events >= 0) {
    left = config_.max_total_events - made_;
  }
  if (config_.max_successful_events >= 0) {
    left = std::min(left, config_.max_successful_events - (made_ - failed_));
  }
  return left;
}

milliseconds StressSource::time_to_next() const {
  const auto wait = next_at_ - std::chrono::steady_clock::now();
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(wait));
}

milliseconds StressSource::turn(std::stop_token stop) {
  const std::int64_t count = std::min<std::int64_t>(config_.batch_size, events_left());
  if (count <= 0) {
    return kIdle;
  }
  if (config_.max_events_per_second > 0) {
    if (const milliseconds wait = time_to_next(); wait > milliseconds(0)) {
      return wait;
    }
    const auto took =
        std::chrono::nanoseconds(1'000'000'000 * count) / config_.max_events_per_second;
    next_at_ = std::max(next_at_, std::chrono::steady_clock::now() - milliseconds(100)) + took;
  }
  const std::string_view body = builder_.store_body(body_);
  if (body.data() == nullptr) {
    return kMemoryRetry;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    builder_.add(body);
  }
  made_ += count;
  put(builder_, std::move(stop),
      [this, count](const Result<>& result) { failed_ += result.ok() ? 0 : count; });
  return milliseconds(0);
}

const RegisterSource<StressSource> entry{"", "org.apache.flume.source.StressSource",
                                         "Makes equal events, to try out what is behind it."};

}  // namespace millrace
