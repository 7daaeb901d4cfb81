#include "base/metrics.h"

#include <fmt/core.h>

#include <cmath>

namespace millrace {
namespace {

// Whole numbers without a point, as Flume prints its counters.
std::string text_of(double number) {
  return number == std::floor(number) && std::abs(number) < 1e15 ? fmt::format("{:.0f}", number)
                                                                 : fmt::format("{}", number);
}

}  // namespace

Counter& MetricGroup::counter(std::string_view attribute, MetricKind kind) {
  const std::lock_guard lock(mutex_);
  Attribute& found = attributes_[std::string(attribute)];
  if (!found.counter) {
    found.kind = kind;
    found.counter = std::make_unique<Counter>();
  }
  return *found.counter;
}

void MetricGroup::computed(std::string_view attribute, MetricKind kind,
                           std::function<double()> read) {
  const std::lock_guard lock(mutex_);
  Attribute& found = attributes_[std::string(attribute)];
  found.kind = kind;
  found.number = std::move(read);
}

void MetricGroup::computed_text(std::string_view attribute, std::function<std::string()> read) {
  const std::lock_guard lock(mutex_);
  Attribute& found = attributes_[std::string(attribute)];
  found.kind = MetricKind::kGauge;
  found.text = std::move(read);
}

void MetricGroup::drop_computed() {
  const std::lock_guard lock(mutex_);
  std::erase_if(attributes_, [](const auto& entry) { return !entry.second.counter; });
}

std::vector<MetricSample> MetricGroup::samples() const {
  const std::lock_guard lock(mutex_);
  std::vector<MetricSample> samples;
  for (const auto& [name, attribute] : attributes_) {
    MetricSample sample{name, attribute.kind, 0, {}};
    if (attribute.text) {
      sample.text = attribute.text();
    } else {
      sample.number =
          attribute.number ? attribute.number() : static_cast<double>(attribute.counter->value());
      sample.text = text_of(sample.number);
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

MetricGroup& MetricsRegistry::group(std::string_view type, std::string_view name) {
  const std::lock_guard lock(mutex_);
  auto& found = groups_[{std::string(type), std::string(name)}];
  if (!found) {
    found = std::make_unique<MetricGroup>(std::string(type), std::string(name));
  }
  return *found;
}

std::vector<const MetricGroup*> MetricsRegistry::groups() const {
  const std::lock_guard lock(mutex_);
  std::vector<const MetricGroup*> groups;
  for (const auto& [key, group] : groups_) {
    groups.push_back(group.get());
  }
  return groups;
}

}  // namespace millrace
