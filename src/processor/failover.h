// Failover: the best sink that works gets everything (Flume's FailoverSinkProcessor).
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/component.h"
#include "core/sink_processor.h"
#include "processor/group_keys.h"

namespace millrace {

struct FailoverConfig : GroupKeys {
  std::map<std::string, std::string> priorities;  // Of a sink's name.
  std::chrono::milliseconds most_rest{30'000};
  bool parallel = false;

  static constexpr auto fields() {
    using C = FailoverConfig;
    return std::tuple_cat(
        GroupKeys::fields(),
        std::tuple{
            field("processor.priority.", &C::priorities,
                  "A sink's priority, a whole number: the highest that works gets everything. One "
                  "without comes behind the others, in the order of `sinks`; of two that are equal "
                  "the later one is never used.")
                .example("processor.priority.k1 = 10"),
            field("processor.maxpenalty", &C::most_rest,
                  "The longest that a sink rests after failures; the first rest is 2000 ms, and "
                  "each one is twice as long as the one before.")
                .range(0, 2'147'483'647)
                .lenient(),
            field("processor.parallel", &C::parallel, "Has no effect here.")
                .ignored("failover uses one sink at a time"),
        });
  }
  void check(ConfigCheck& check) const;

  struct Rank {
    std::string sink;
    int priority = 0;
    std::string why_unused;  // Empty: it is used.
  };
  // Each of `names`, in their order.
  std::vector<Rank> ranks(const std::vector<std::string>& names) const;
};

// A sink that fails rests, and is then tried before the ones that work: when it delivers it is one
// of these again. Threads: as SinkProcessor.
class FailoverProcessor final : public SinkProcessor {
 public:
  using Config = FailoverConfig;
  FailoverProcessor(const Config& config, const SinkProcessorContext& context);

  std::vector<std::size_t> order(SteadyTime now) override;
  void note(std::size_t sink, Turn turn, SteadyTime now) override;
  SinkStanding standing(std::size_t sink, SteadyTime now) const override;
  std::string plan() const override;

 private:
  struct Member {
    FailoverConfig::Rank rank;
    int failures = 0;  // In a row; 0: it is one of those that work.
    SteadyTime rests_until{};
  };
  bool works(std::size_t sink) const { return members_[sink].failures == 0; }

  const std::chrono::milliseconds most_rest_;
  std::vector<Member> members_;
  std::vector<std::size_t> ranked_;  // Those that are used, the highest priority first.
};

}  // namespace millrace
