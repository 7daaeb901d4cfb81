// Load balancing: the sinks of a group share the transactions (Flume's LoadBalancingSinkProcessor).
#pragma once

#include <chrono>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/component.h"
#include "core/sink_processor.h"
#include "processor/group_keys.h"

namespace millrace {

struct LoadBalanceConfig : GroupKeys {
  static constexpr std::chrono::milliseconds kMostRest{30'000};

  std::string selector = "round_robin";
  bool back_off = false;
  std::chrono::milliseconds most_rest = kMostRest;
  bool parallel = false;

  static constexpr auto fields() {
    using C = LoadBalanceConfig;
    return std::tuple_cat(
        GroupKeys::fields(),
        std::tuple{
            field("processor.selector", &C::selector,
                  "Whose turn a transaction is. The one behind it gets what a sink fails at.")
                .choices({"round_robin", "random"}),
            field("processor.backoff", &C::back_off,
                  "A sink that fails rests; else it is offered its next transaction at once."),
            field("processor.selector.maxTimeOut", &C::most_rest,
                  "With backoff, the longest that a sink rests after failures; the first rest is "
                  "2000 ms, and each one is twice as long as the one before. 0: the default.")
                .range(0, std::int64_t{1} << 40),
            field("processor.parallel", &C::parallel,
                  "The sinks deliver side by side, each on a thread of its own, in place of one "
                  "after the other; each takes what it can, whatever the selector. Not a key of "
                  "Flume's."),
        });
  }
  void check(ConfigCheck& check) const;
};

// Threads: as SinkProcessor.
class LoadBalanceProcessor final : public SinkProcessor {
 public:
  using Config = LoadBalanceConfig;
  LoadBalanceProcessor(const Config& config, SinkProcessorContext context);

  std::vector<std::size_t> order(SteadyTime now) override;
  void note(std::size_t sink, Turn turn, SteadyTime now) override;
  SinkStanding standing(std::size_t sink, SteadyTime now) const override;
  bool is_parallel() const override { return parallel_; }
  std::string plan() const override;

 private:
  struct Member {
    int failures = 0;
    std::optional<SteadyTime> failed_at;
    SteadyTime rests_until{};
  };

  const std::vector<std::string> names_;
  const bool is_random_;
  const bool back_off_;
  const bool parallel_;
  const std::chrono::milliseconds most_rest_;
  std::vector<Member> members_;
  std::size_t next_ = 0;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace millrace
