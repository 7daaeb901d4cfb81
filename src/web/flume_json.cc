#include "web/flume_json.h"

#include <limits>
#include <map>

#include "web/flume_attributes.h"
#include "web/json_text.h"

namespace millrace {
namespace {

// The one attribute that is a double in Flume: as Java prints it.
std::string java_double(const MetricSample& sample) {
  if (sample.number == std::numeric_limits<double>::max()) {
    return "1.7976931348623157E308";
  }
  return sample.text.find_first_of(".e") == std::string::npos ? sample.text + ".0" : sample.text;
}

std::map<std::string, std::string> attributes_of(const MetricGroup& group) {
  std::map<std::string, std::string> attributes;
  for (const std::string_view name : flume_attributes(group.type())) {
    attributes.emplace(name, "0");
  }
  for (const MetricSample& sample : group.samples()) {
    attributes[sample.name] =
        sample.name == "ChannelFillPercentage" ? java_double(sample) : sample.text;
  }
  attributes["Type"] = group.type();
  return attributes;
}

}  // namespace

std::string flume_json(const MetricsRegistry& metrics) {
  std::string json = "{";
  for (const MetricGroup* const group : metrics.groups()) {
    json += json.size() > 1 ? "," : "";
    json += json_string(group->type() + "." + group->name()) + ":{";
    bool first = true;
    for (const auto& [name, value] : attributes_of(*group)) {
      json += first ? "" : ",";
      json += json_string(name) + ":" + json_string(value);
      first = false;
    }
    json += "}";
  }
  return json + "}";
}

}  // namespace millrace
