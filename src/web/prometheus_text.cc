#include "web/prometheus_text.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "io/tcp_limits.h"
#include "web/flume_attributes.h"

namespace millrace {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool is_number(const MetricSample& sample) {
  double number = 0;
  const char* const end = sample.text.data() + sample.text.size();
  return std::from_chars(sample.text.data(), end, number).ptr == end && !sample.text.empty();
}

// Families in the order of their names, each with a metric for every component that has it.
class Families {
 public:
  void add(const std::string& name, std::string help, MetricKind kind,
           std::vector<ClientMetric::Label> labels, double value) {
    MetricFamily& family = families_[name];
    family.name = name;
    family.help = std::move(help);
    family.type = kind == MetricKind::kCounter ? MetricType::Counter : MetricType::Gauge;
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.counter.value = value;
    metric.gauge.value = value;
    family.metric.push_back(std::move(metric));
  }

  std::string text() const {
    std::vector<MetricFamily> all;
    for (const auto& entry : families_) {
      all.push_back(entry.second);
    }
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, all);
    return out.str();
  }

 private:
  std::map<std::string, MetricFamily> families_;
};

// Flume has them in milliseconds, and its exporter leaves them out.
bool is_time(std::string_view attribute) {
  return attribute == "StartTime" || attribute == "StopTime";
}

void add_ours(Families& families, const MetricGroup& group) {
  for (const MetricSample& sample : group.samples()) {
    if (is_number(sample) && !is_time(sample.name)) {
      families.add(prometheus_name(sample.name, sample.kind),
                   sample.name + " of a source, channel or sink.", sample.kind,
                   {{"type", lower(group.type())}, {"component", group.name()}}, sample.number);
    }
  }
}

void add_flumes(Families& families, const MetricGroup& group) {
  std::map<std::string, double, std::less<>> numbers;
  for (const MetricSample& sample : group.samples()) {
    numbers[sample.name] = sample.number;
  }
  for (const std::string_view attribute : flume_attributes(group.type())) {
    if (attribute != "ChannelFillPercentage" && !is_time(attribute)) {
      const bool gauge = is_flume_gauge(attribute);
      const auto found = numbers.find(attribute);
      families.add("Flume_" + std::string(attribute) + (gauge ? "" : "_total"),
                   "Flume's " + std::string(attribute) + ".",
                   gauge ? MetricKind::kGauge : MetricKind::kCounter, {{"component", group.name()}},
                   found != numbers.end() ? found->second : 0);
    }
  }
}

void add_tcp(Families& families) {
  const TcpCounters& tcp = tcp_counters();
  const auto add = [&](const char* name, const char* help, MetricKind kind, double value) {
    families.add(name, help, kind, {}, value);
  };
  const auto number = [](const Counter& counter) { return static_cast<double>(counter.value()); };
  add("millrace_tcp_open_connections", "Open connections of clients.", MetricKind::kGauge,
      number(tcp.open));
  add("millrace_tcp_resets_total", "Connections that the peer or the kernel reset.",
      MetricKind::kCounter, number(tcp.resets));
  add("millrace_tcp_accept_failures_total", "Connections that could not be accepted at once.",
      MetricKind::kCounter, number(tcp.accept_failures));
  add("millrace_tls_failures_total", "TLS handshakes that failed.", MetricKind::kCounter,
      number(tcp.tls_failures));
  if (const auto aborts = tcp_aborts_on_memory()) {
    add("millrace_host_tcp_aborts_on_memory_total",
        "Connections of this machine that its kernel ended for lack of memory.",
        MetricKind::kCounter, static_cast<double>(*aborts));
  }
}

}  // namespace

std::string prometheus_name(std::string_view attribute, MetricKind kind) {
  std::string name = "millrace_";
  char before = '_';
  for (const char c : attribute) {
    const auto byte = static_cast<unsigned char>(c);
    const bool word_starts =
        std::isupper(byte) != 0 && std::isupper(static_cast<unsigned char>(before)) == 0;
    if (word_starts && before != '_') {
      name += '_';
    }
    name += std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
    before = c;
  }
  if (kind == MetricKind::kCounter) {
    constexpr std::string_view kCount = "_count";
    if (name.ends_with(kCount)) {
      name.resize(name.size() - kCount.size());
    }
    name += "_total";
  }
  return name;
}

std::string prometheus_text(const MetricsRegistry& metrics) {
  Families families;
  for (const MetricGroup* const group : metrics.groups()) {
    add_ours(families, *group);
    add_flumes(families, *group);
  }
  add_tcp(families);
  return families.text();
}

}  // namespace millrace
