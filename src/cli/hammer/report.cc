#include "cli/hammer/report.h"

#include <fmt/format.h>

#include <boost/json/src.hpp>  // The library itself: only here.

#include "io/file_system.h"

namespace millrace {
namespace {

constexpr std::string_view kFormat = "millrace-hammer-report-1";

std::string json_of(const FlowReport& flow) {
  std::string unsettled;
  for (const Interval& interval : flow.unsettled) {
    unsettled +=
        fmt::format("{}[{}, {}]", unsettled.empty() ? "" : ", ", interval.first, interval.last);
  }
  return fmt::format(
      R"(    {{"hammer": {}, "first": {}, "next": {}, "acknowledged": {}, "again": {}, )"
      R"("refused": {}, "broken": {}, "unsettled": [{}]}})",
      flow.hammer, flow.first, flow.next, flow.acknowledged, flow.again, flow.refused, flow.broken,
      unsettled);
}

// Reads members of an object; remembers the first one that is missing or of another type.
class Members {
 public:
  explicit Members(const boost::json::value& value) : object_(value.if_object()) {
    if (object_ == nullptr) {
      trouble_ = "expected an object";
    }
  }

  std::uint64_t number(std::string_view key, std::uint64_t high) {
    const boost::json::value* value = find(key);
    const auto number = value != nullptr && value->is_int64() && value->get_int64() >= 0
                            ? static_cast<std::uint64_t>(value->get_int64())
                            : high + 1;
    if (number > high) {
      blame(key, "a whole number");
      return 0;
    }
    return number;
  }
  double real(std::string_view key) {
    const boost::json::value* value = find(key);
    if (value != nullptr && value->is_double()) {
      return value->get_double();
    }
    return static_cast<double>(number(key, 1ULL << 53));
  }
  bool truth(std::string_view key) {
    const boost::json::value* value = find(key);
    if (value == nullptr || !value->is_bool()) {
      blame(key, "true or false");
      return false;
    }
    return value->get_bool();
  }
  std::string text(std::string_view key) {
    const boost::json::value* value = find(key);
    if (value == nullptr || !value->is_string()) {
      blame(key, "a text");
      return {};
    }
    return std::string(std::string_view(value->get_string()));
  }
  const boost::json::array& list(std::string_view key) {
    static const boost::json::array kNone;
    const boost::json::value* value = find(key);
    if (value == nullptr || !value->is_array()) {
      blame(key, "a list");
      return kNone;
    }
    return value->get_array();
  }
  void blame(std::string_view key, std::string_view expected) {
    if (trouble_.empty()) {
      trouble_ = fmt::format("\"{}\": expected {}", key, expected);
    }
  }
  Result<> check() const { return trouble_.empty() ? Result<>() : corrupt(trouble_); }

 private:
  const boost::json::value* find(std::string_view key) const {
    return object_ == nullptr ? nullptr : object_->if_contains(key);
  }
  const boost::json::object* object_;
  std::string trouble_;
};

constexpr std::uint64_t kMost = 1ULL << 62;

// [[first, last], …], in order and apart, within [low, high).
Result<std::vector<Interval>> parse_intervals(const boost::json::array& list, std::uint64_t low,
                                              std::uint64_t high) {
  std::vector<Interval> intervals;
  for (const boost::json::value& value : list) {
    const boost::json::array* pair = value.if_array();
    if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_int64() || !(*pair)[1].is_int64()) {
      return corrupt("\"unsettled\": expected pairs of numbers");
    }
    const auto first = static_cast<std::uint64_t>((*pair)[0].get_int64());
    const auto last = static_cast<std::uint64_t>((*pair)[1].get_int64());
    if (first < low || last < first || last >= high) {
      return corrupt("\"unsettled\": expected numbers in order, from \"first\" to below \"next\"");
    }
    intervals.push_back({first, last});
    low = last + 1;
  }
  return intervals;
}

Result<FlowReport> parse_flow(const boost::json::value& value) {
  Members members(value);
  FlowReport flow;
  flow.hammer = static_cast<std::uint32_t>(members.number("hammer", 999'999'999));
  flow.first = members.number("first", kMost);
  flow.next = members.number("next", kMost);
  flow.acknowledged = members.number("acknowledged", kMost);
  flow.again = members.number("again", kMost);
  flow.refused = members.number("refused", kMost);
  flow.broken = members.number("broken", kMost);
  if (flow.next < flow.first) {
    members.blame("next", "no less than \"first\"");
  }
  const boost::json::array& unsettled = members.list("unsettled");
  TRY(members.check());
  flow.unsettled = TRY(parse_intervals(unsettled, flow.first, flow.next));
  return flow;
}

}  // namespace

std::string to_json(const HammerReport& report) {
  std::string hammers;
  for (const FlowReport& flow : report.hammers) {
    hammers += (hammers.empty() ? "\n" : ",\n") + json_of(flow);
  }
  return fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"run\": \"{}\",\n  \"protocol\": \"{}\",\n"
      "  \"bytes\": {},\n  \"seconds\": {:.3f},\n  \"complete\": {},\n  \"hammers\": [{}\n  "
      "]\n}}\n",
      kFormat, report.run, report.protocol, report.bytes, report.seconds, report.complete, hammers);
}

Result<HammerReport> parse_hammer_report(std::string_view json) {
  boost::json::error_code error;
  const boost::json::value value = boost::json::parse(json, error);
  if (error) {
    return corrupt("not JSON: " + error.message());
  }
  Members members(value);
  HammerReport report;
  if (members.text("format") != kFormat) {
    members.blame("format", kFormat);
  }
  report.run = members.text("run");
  report.protocol = members.text("protocol");
  report.bytes = members.number("bytes", kMost);
  report.seconds = members.real("seconds");
  report.complete = members.truth("complete");
  const boost::json::array& hammers = members.list("hammers");
  TRY(members.check());
  for (const boost::json::value& hammer : hammers) {
    report.hammers.push_back(TRY(parse_flow(hammer)));
  }
  return report;
}

Result<> write_hammer_report(const HammerReport& report, const std::filesystem::path& path) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  FileSystem& files = real_file_system();
  {
    const std::unique_ptr<File> file = TRY(files.open(temporary, OpenMode::kTruncate));
    TRY(file->write_at(to_json(report), 0));
  }
  return files.rename(temporary, path);
}

Result<HammerReport> read_hammer_report(const std::filesystem::path& path) {
  const std::string json = TRY(read_file(real_file_system(), path));
  return parse_hammer_report(json).with(path.string());
}

}  // namespace millrace
