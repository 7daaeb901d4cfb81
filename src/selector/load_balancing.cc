// Each event goes to exactly one channel of the source: Flume's load_balancing selector
// (Flume 1.11, org.apache.flume.channel.LoadBalancingChannelSelector), and the round-robin selector
// that sites added to Flume as a jar of their own.
#include <random>

#include "core/registry.h"

namespace millrace {
namespace {

// Deals the events of each batch out; bodies are not copied.
template <class Choose>
Routing deal(const BatchPtr& batch, std::size_t channels, Choose choose) {
  std::vector<std::vector<std::uint32_t>> hands(channels);
  for (std::uint32_t i = 0; i < batch->size(); ++i) {
    hands[choose()].push_back(i);
  }
  Routing routing;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    if (!hands[channel].empty()) {
      const bool whole = hands[channel].size() == batch->size();
      routing.routes.push_back({channel, whole ? batch : batch->pick(hands[channel]), true});
    }
  }
  return routing;
}

}  // namespace

struct LoadBalancingSelectorConfig {
  std::string policy = "round_robin";

  static constexpr auto fields() {
    using C = LoadBalancingSelectorConfig;
    return std::tuple{field("policy", &C::policy, "How the channel of an event is chosen.")
                          .choices({"round_robin", "random"})};
  }
};

class LoadBalancingSelector final : public Selector {
 public:
  using Config = LoadBalancingSelectorConfig;
  LoadBalancingSelector(const Config& config, const SelectorContext& context)
      : random_(config.policy != "round_robin"), channels_(context.channels.size()) {}

  Routing route(const BatchPtr& batch) override {
    if (random_) {
      std::uniform_int_distribution<std::size_t> any(0, channels_ - 1);
      return deal(batch, channels_, [&] { return any(generator_); });
    }
    return deal(batch, channels_, [&] { return next_++ % channels_; });
  }

 private:
  const bool random_;
  const std::size_t channels_;
  std::size_t next_ = 0;
  std::minstd_rand generator_{std::random_device{}()};
};

struct RoundRobinSelectorConfig {
  static constexpr auto fields() { return std::tuple{}; }
};

class RoundRobinSelector final : public Selector {
 public:
  using Config = RoundRobinSelectorConfig;
  RoundRobinSelector(const Config&, const SelectorContext& context)
      : channels_(context.channels.size()) {}

  Routing route(const BatchPtr& batch) override {
    return deal(batch, channels_, [&] { return next_++ % channels_; });
  }

 private:
  const std::size_t channels_;
  std::size_t next_ = 0;
};

const RegisterSelector<LoadBalancingSelector> load_balancing_entry{
    "load_balancing", "org.apache.flume.channel.LoadBalancingChannelSelector",
    "Each event goes to one channel, in turn or at random."};
const RegisterSelector<RoundRobinSelector> round_robin_entry{
    "round_robin", "com.sars.flume.RoundRobinChannelSelector",
    "Each event goes to one channel, in turn."};

}  // namespace millrace
