// Goal: no text crashes, hangs or blows up the way from a .properties file to an agent's model.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/check.h"
#include "config/agent_config.h"
#include "config/interpolation.h"
#include "config/properties.h"
#include "config/utf8.h"

namespace {

void check_text(const millrace::PropertySection& set) {
  for (const millrace::Property& property : set.entries()) {
    CHECK(millrace::is_valid_utf8(property.full_key));
    CHECK(millrace::is_valid_utf8(property.value));
  }
}

// What the model promises of its parts.
void check_agent(const millrace::AgentConfig& agent) {
  const auto has_channel = [&](std::string_view name) {
    for (const millrace::ChannelConfig& channel : agent.channels) {
      if (channel.name == name) {
        return true;
      }
    }
    return false;
  };
  for (const millrace::SourceConfig& source : agent.sources) {
    CHECK(!source.type.empty() && !source.channels.empty());
    for (const std::string& channel : source.channels) {
      CHECK(has_channel(channel));
    }
  }
  for (const millrace::SinkConfig& sink : agent.sinks) {
    CHECK(!sink.type.empty() && has_channel(sink.channel));
  }
  for (const millrace::SinkGroupConfig& group : agent.sink_groups) {
    CHECK(!group.sinks.empty() && !group.processor.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  millrace::LookupContext context;
  context.environment = {{"A", "1"}, {"B", "${env:A}${c}"}};
  context.system_properties = {{"p", "2"}};
  context.bare_names_are_environment = size % 2 == 0;
  millrace::Diagnostics diagnostics;
  const millrace::PropertySection parsed =
      millrace::parse_properties(bytes, "fuzz.conf", diagnostics);
  check_text(parsed);
  const millrace::Interpolated resolved = millrace::interpolate(parsed, context, diagnostics);
  millrace::check_loose_keys(resolved.properties, resolved.referenced, diagnostics);
  for (const std::string& name : millrace::agent_names(resolved.properties)) {
    const std::optional<millrace::AgentConfig> agent =
        millrace::read_agent(resolved.properties, name, context.environment, diagnostics);
    if (agent.has_value()) {
      check_agent(*agent);
    }
  }
  CHECK(diagnostics.to_string().size() >= diagnostics.items().size());
  return 0;
}
