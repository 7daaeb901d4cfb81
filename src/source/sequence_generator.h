// The source `seq`: events that count 0, 1, 2… in decimal digits.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>

#include "config/fields.h"
#include "core/thread_source.h"
#include "source/pollable_config.h"

namespace millrace {

struct SequenceGeneratorConfig : PollableConfig {
  std::int64_t total_events = std::numeric_limits<std::int64_t>::max();
  std::uint32_t batch_size = 1;

  static constexpr auto fields() {
    using C = SequenceGeneratorConfig;
    return std::tuple_cat(
        std::tuple{
            field("totalEvents", &C::total_events, "How many events to make.")
                .range(0, std::numeric_limits<std::int64_t>::max()),
            field("batchSize", &C::batch_size, "Events of one put.").range(1, 1'000'000),
        },
        PollableConfig::fields());
  }
  std::size_t events_per_transaction() const { return batch_size; }
};

// Repeats: none. Threads: see ThreadSource. The count goes on after a stop and a new start.
class SequenceGeneratorSource final : public ThreadSource {
 public:
  using Config = SequenceGeneratorConfig;
  SequenceGeneratorSource(Config config, SourceContext context);
  ~SequenceGeneratorSource() override;

 protected:
  std::chrono::milliseconds turn(std::stop_token stop) override;

 private:
  const Config config_;
  Counter& batches_;
  EventBatch::Builder builder_;
  std::int64_t next_ = 0;
};

}  // namespace millrace
