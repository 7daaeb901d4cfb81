// The replicating selector, Flume's default: every event goes to every channel of the source
// (Flume 1.11, org.apache.flume.channel.ReplicatingChannelSelector).
#include <algorithm>

#include "core/registry.h"
#include "selector/channel_names.h"

namespace millrace {

struct ReplicatingSelectorConfig {
  std::vector<std::string> optional;

  static constexpr auto fields() {
    using C = ReplicatingSelectorConfig;
    return std::tuple{field("optional", &C::optional,
                            "Channels that may lose events when they do not take them.")};
  }
};

// Copies no bytes: the channels share the batch.
class ReplicatingSelector final : public Selector {
 public:
  using Config = ReplicatingSelectorConfig;
  ReplicatingSelector(const Config& config, const SelectorContext& context) {
    const std::vector<std::size_t> optional = channel_indices(config.optional, context);
    for (std::size_t i = 0; i < context.channels.size(); ++i) {
      required_.push_back(std::find(optional.begin(), optional.end(), i) == optional.end());
    }
  }

  Routing route(const BatchPtr& batch) override {
    Routing routing;
    for (std::size_t i = 0; i < required_.size(); ++i) {
      routing.routes.push_back({i, batch, required_[i]});
    }
    return routing;
  }

 private:
  std::vector<bool> required_;  // By channel.
};

const RegisterSelector<ReplicatingSelector> replicating_entry{
    "replicating", "org.apache.flume.channel.ReplicatingChannelSelector",
    "Every event goes to every channel."};

}  // namespace millrace
