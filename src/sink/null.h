// null: takes events and drops them.
#pragma once

#include "config/fields.h"
#include "core/component.h"
#include "core/sink.h"

namespace millrace {

struct NullConfig {
  std::uint32_t batch_size = 100;
  std::uint32_t log_every_n_events = 10'000;

  static constexpr auto fields() {
    using C = NullConfig;
    return std::tuple{
        field("batchSize", &C::batch_size, "Most events in one take.").range(1, 1'000'000),
        field("logEveryNEvents", &C::log_every_n_events, "Events between two lines of progress.")
            .range(1, 2'147'483'647),
    };
  }
  std::size_t events_per_transaction() const { return batch_size; }
};

// Threads: its runner's alone.
class NullSink final : public Sink {
 public:
  using Config = NullConfig;
  NullSink(Config config, SinkContext context);

  Result<> deliver(const EventBatch& batch, Rejects& rejects) override;
  Result<> flush() override;
  std::size_t batch_size() const override { return config_.batch_size; }

 private:
  const Config config_;
  const std::string name_;
  std::uint64_t events_ = 0;
  std::uint64_t log_at_;
};

}  // namespace millrace
