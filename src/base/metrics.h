// Figures of components, bumped once a batch. Exporters (src/web) read them: Prometheus text, and
// Flume's JSON under the same attribute names (Flume 1.11, class MonitoredCounterGroup).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

// Threads: any.
class Counter {
 public:
  void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  void subtract(std::uint64_t n = 1) { value_.fetch_sub(n, std::memory_order_relaxed); }
  void set(std::uint64_t n) { value_.store(n, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

enum class MetricKind { kCounter, kGauge };

// One attribute at one instant.
struct MetricSample {
  std::string name;  // Flume's attribute name, or ours in the same style.
  MetricKind kind;
  double number;
  std::string text;  // As Flume's JSON writes it.
};

// The figures of one component. Attributes are declared once, then bumped through the reference.
// Threads: any.
class MetricGroup {
 public:
  // `type` is Flume's: "SOURCE", "CHANNEL", "SINK".
  MetricGroup(std::string type, std::string name)
      : type_(std::move(type)), name_(std::move(name)) {}

  const std::string& type() const { return type_; }
  const std::string& name() const { return name_; }

  // The same counter for the same attribute. Lives as long as the group.
  Counter& counter(std::string_view attribute, MetricKind kind = MetricKind::kCounter);
  // A figure that is asked for when it is read; replaces an earlier one of the name. `read` gives
  // what the sample's number and text say.
  void computed(std::string_view attribute, MetricKind kind, std::function<double()> read);
  void computed_text(std::string_view attribute, std::function<std::string()> read);
  // Drops the computed figures: before what they read goes away.
  void drop_computed();

  std::vector<MetricSample> samples() const;

 private:
  struct Attribute {
    MetricKind kind = MetricKind::kCounter;
    std::unique_ptr<Counter> counter;
    std::function<double()> number;
    std::function<std::string()> text;
  };
  const std::string type_;
  const std::string name_;
  mutable std::mutex mutex_;  // Guards attributes_.
  std::map<std::string, Attribute, std::less<>> attributes_;
};

// All groups of the process. Groups live as long as it does. Threads: any.
class MetricsRegistry {
 public:
  MetricGroup& group(std::string_view type, std::string_view name);
  std::vector<const MetricGroup*> groups() const;  // Ordered by type and name.

 private:
  mutable std::mutex mutex_;  // Guards groups_.
  std::map<std::pair<std::string, std::string>, std::unique_ptr<MetricGroup>> groups_;
};

}  // namespace millrace
