// The multiplexing selector: the value of a header says which channels an event goes to
// (Flume 1.11, org.apache.flume.channel.MultiplexingChannelSelector).
#include <algorithm>
#include <map>

#include "core/registry.h"
#include "selector/channel_names.h"

namespace millrace {

struct MultiplexingSelectorConfig {
  std::string header = "flume.selector.header";
  std::map<std::string, std::string> mapping;
  std::map<std::string, std::string> optional;
  std::vector<std::string> default_channels;

  static constexpr auto fields() {
    using C = MultiplexingSelectorConfig;
    return std::tuple{
        field("header", &C::header, "Header whose value chooses."),
        field("mapping.", &C::mapping, "Channels for a value: mapping.VALUE = c1 c2."),
        field("optional.", &C::optional,
              "Channels for a value that may lose events when they do not take them."),
        field("default", &C::default_channels,
              "Channels where the header is absent, blank or unmapped."),
    };
  }
};

// Events of a batch are split by value; bodies are not copied.
class MultiplexingSelector final : public Selector {
 public:
  using Config = MultiplexingSelectorConfig;
  MultiplexingSelector(const Config& config, const SelectorContext& context)
      : header_(config.header), channels_(context.channels.size()) {
    default_ = {channel_indices(config.default_channels, context), {}};
    for (const auto& [value, names] : config.mapping) {
      targets_[value].required = channel_indices(split_words(names), context);
    }
    for (const auto& [value, names] : config.optional) {
      Targets& targets = targets_.try_emplace(value, default_).first->second;
      targets.optional = channel_indices(split_words(names), context);
      std::erase_if(targets.optional, [&targets](std::size_t channel) {
        return std::find(targets.required.begin(), targets.required.end(), channel) !=
               targets.required.end();
      });
    }
  }

  Routing route(const BatchPtr& batch) override {
    std::vector<std::vector<std::uint32_t>> required(channels_);
    std::vector<std::vector<std::uint32_t>> optional(channels_);
    Routing routing;
    const char* block = nullptr;
    const Targets* targets = &default_;
    for (std::uint32_t i = 0; i < batch->size(); ++i) {
      const EventRef& event = (*batch)[i];
      if (event.headers_data != block) {
        block = event.headers_data;
        targets = &targets_of(event.headers().find(header_));
      }
      for (const std::size_t channel : targets->required) {
        required[channel].push_back(i);
      }
      for (const std::size_t channel : targets->optional) {
        optional[channel].push_back(i);
      }
      if (targets->required.empty() && targets->optional.empty()) {
        ++routing.unrouted;
      }
    }
    add_routes(batch, required, true, routing);
    add_routes(batch, optional, false, routing);
    return routing;
  }

 private:
  struct Targets {
    std::vector<std::size_t> required;
    std::vector<std::size_t> optional;
  };

  // Values are compared to the letter; a blank one counts as absent.
  const Targets& targets_of(std::optional<std::string_view> value) const {
    if (!value || value->find_first_not_of(" \t\n\r\f\v") == std::string_view::npos) {
      return default_;
    }
    const auto found = targets_.find(*value);
    return found == targets_.end() ? default_ : found->second;
  }

  static void add_routes(const BatchPtr& batch,
                         const std::vector<std::vector<std::uint32_t>>& positions, bool required,
                         Routing& routing) {
    for (std::size_t channel = 0; channel < positions.size(); ++channel) {
      if (positions[channel].empty()) {
        continue;
      }
      const bool whole = positions[channel].size() == batch->size();
      routing.routes.push_back(
          {channel, whole ? batch : batch->pick(positions[channel]), required});
    }
  }

  const std::string header_;
  const std::size_t channels_;
  Targets default_;
  std::map<std::string, Targets, std::less<>> targets_;
};

const RegisterSelector<MultiplexingSelector> multiplexing_entry{
    "multiplexing", "org.apache.flume.channel.MultiplexingChannelSelector",
    "The value of a header chooses the channels."};

}  // namespace millrace
