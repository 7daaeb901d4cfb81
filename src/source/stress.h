// The source org.apache.flume.source.StressSource: equal events, as fast as they are taken or as
// they are asked for.
#pragma once

#include <cstdint>
#include <tuple>

#include "config/fields.h"
#include "core/thread_source.h"
#include "source/pollable_config.h"

namespace millrace {

struct StressConfig : PollableConfig {
  std::uint32_t size = 500;
  std::int64_t max_total_events = -1;
  std::int64_t max_successful_events = -1;
  std::uint32_t batch_size = 1;
  std::int32_t max_events_per_second = 0;

  static constexpr auto fields() {
    using C = StressConfig;
    return std::tuple_cat(
        std::tuple{
            field("size", &C::size, "Bytes of a body; all are 0x7F.").range(0, 64 * 1024 * 1024),
            field("maxTotalEvents", &C::max_total_events,
                  "How many events to make; -1 for no end."),
            field("maxSuccessfulEvents", &C::max_successful_events,
                  "How many events the channels are to accept; -1 for no end."),
            field("batchSize", &C::batch_size, "Events of one put.").range(1, 1'000'000),
            field("maxEventsPerSecond", &C::max_events_per_second,
                  "Most events of a second; 0 or less for no limit."),
        },
        PollableConfig::fields());
  }
  std::size_t events_per_transaction() const { return batch_size; }
};

// All events of a batch share the bytes of one body. Repeats: none. Threads: see ThreadSource.
class StressSource final : public ThreadSource {
 public:
  using Config = StressConfig;
  StressSource(Config config, SourceContext context);
  ~StressSource() override;

 protected:
  std::chrono::milliseconds turn(std::stop_token stop) override;

 private:
  std::int64_t events_left() const;
  std::chrono::milliseconds time_to_next() const;

  const Config config_;
  const std::string body_;
  EventBatch::Builder builder_;
  std::int64_t made_ = 0;
  std::int64_t failed_ = 0;
  SteadyTime next_at_{};  // Before that, the rate allows no more.
};

}  // namespace millrace
