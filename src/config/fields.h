// Described config structs: the one place where an option is named. From the tuple that a struct's
// fields() returns come the parser, its checks and error texts, and the reference page.
//
//   struct NetcatConfig {
//     std::string bind;
//     std::uint16_t port = 0;
//     std::uint32_t max_line_length = 512;  // The default is written once, here.
//
//     static constexpr auto fields() {
//       using C = NetcatConfig;
//       return std::tuple{
//           field("bind", &C::bind, "Address to listen on.").required(),
//           field("port", &C::port, "Port to listen on.").required().range(0, 65'535),
//           field("max-line-length", &C::max_line_length, "Bytes of a line.").range(1, 1 << 30),
//       };
//     }
//     void check(ConfigCheck& check) const;  // Optional: rules across fields.
//   };
//
// A group of fields that several components share is a base struct; join the tuples with
// std::tuple_cat(TlsConfig::fields(), std::tuple{...}).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "config/diagnostics.h"
#include "config/field.h"
#include "config/property_section.h"
#include "config/value_types.h"

namespace millrace {

// Keys that every component of a kind has and that are not its own: "type"; one that ends in '*'
// stands for all that begin so: "selector.*".
struct CommonKeys {  // A type of ours, so that bind() is never taken for std::bind().
  std::span<const std::string_view> keys;
};
CommonKeys common_source_keys();
CommonKeys common_sink_keys();
CommonKeys common_channel_keys();
CommonKeys common_group_keys();   // Sink groups.
CommonKeys common_nested_keys();  // Interceptors, selectors, serializers: "type".

// What a config struct's check() reports to; `key` as in its fields().
class ConfigCheck {
 public:
  void fault(std::string_view key, std::string_view message) {
    report(Severity::kError, key, message);
  }
  void warn(std::string_view key, std::string_view message) {
    report(Severity::kWarning, key, message);
  }

 private:
  friend class FieldBinder;
  explicit ConfigCheck(class FieldBinder& binder) : binder_(binder) {}
  void report(Severity severity, std::string_view key, std::string_view message);

  FieldBinder& binder_;
};

// One bind() at work: remembers which keys are known, and reports. Used through bind() alone.
class FieldBinder {
 public:
  FieldBinder(const PropertySection& section, Diagnostics& diagnostics, CommonKeys common)
      : section_(section), diagnostics_(diagnostics), common_(common) {}

  template <class T>
  void read(const FieldMarks& marks, T& out) {
    if (const Property* const property = start(marks)) {
      const ValueFault fault = parse_value(property->value, marks, out);
      finish(marks, *property, fault, fault.ok() ? std::string() : value_text(out));
    }
  }
  void read(const FieldMarks& marks, std::map<std::string, std::string>& out);
  void read(const FieldMarks& marks, PropertySection& out);

  // A warning for each key that no field and no common key knows, with the nearest known one.
  void report_unknown_keys();
  // What C::check finds. A fault on a key that was already found bad is left out: the rule saw the
  // default in its place.
  template <class C>
  void check(const C& config) {
    if constexpr (requires(ConfigCheck & check) { config.check(check); }) {
      ConfigCheck check(*this);
      config.check(check);
    }
  }
  bool ok() const { return bad_keys_.empty() && !check_failed_; }

 private:
  friend class ConfigCheck;
  // The entry of a plain field, or nullptr (said, when it is required).
  const Property* start(const FieldMarks& marks);
  void finish(const FieldMarks& marks, const Property& property, const ValueFault& fault,
              std::string default_text);
  PropertySection start_prefix(const FieldMarks& marks);
  void say_ignored_or_old(const FieldMarks& marks, const Property& property);
  void report_missing(const FieldMarks& marks);
  void add(Severity severity, const Property& property, bool secret, std::string message,
           std::string hint);
  void report_check(Severity severity, std::string_view key, std::string_view message);
  void report_rule(Severity severity, std::string_view key, std::string_view message);
  bool is_known(std::string_view key) const;
  bool is_secret(std::string_view key) const;

  const PropertySection& section_;
  Diagnostics& diagnostics_;
  CommonKeys common_;
  std::vector<FieldMarks> fields_;
  std::vector<bool> field_is_prefix_;
  std::vector<std::string_view> bad_keys_;
  bool check_failed_ = false;
};

// Reads a component's keys into its config struct. Every fault of every key goes to `diagnostics`
// at once; nullopt when one of them was an error. An unknown key is a warning.
template <class C>
std::optional<C> bind(const PropertySection& section, Diagnostics& diagnostics,
                      CommonKeys common = common_nested_keys()) {
  C config{};
  FieldBinder binder(section, diagnostics, common);
  std::apply([&](const auto&... each) { (binder.read(each.marks, config.*(each.member)), ...); },
             C::fields());
  binder.report_unknown_keys();
  binder.check(config);
  if (!binder.ok()) {
    return std::nullopt;
  }
  return config;
}

// One option as a reader of the reference page sees it.
struct FieldDescription {
  std::string key;
  std::string type;  // With its unit: "milliseconds".
  std::string default_text;
  std::string range;  // "1 to 65535"; empty = as the type allows.
  std::vector<std::string> choices;
  std::string help;
  std::string example;
  std::string ignored;     // Why it has no effect.
  std::string deprecated;  // What to use in its place.
  bool required = false;
  bool secret = false;
  bool lenient = false;
  bool is_prefix = false;  // The key stands for all keys that begin with it.
};

FieldDescription describe_field(const FieldMarks& marks, std::string_view type,
                                std::string default_text, bool is_real, bool is_prefix);

template <class T>
inline constexpr bool kTakesPrefix =
    std::is_same_v<T, std::map<std::string, std::string>> || std::is_same_v<T, PropertySection>;

// The options of a config struct, in the order of its fields().
template <class C>
std::vector<FieldDescription> describe() {
  const C defaults{};
  std::vector<FieldDescription> all;
  const auto add = [&](const auto& each) {
    const auto& value = defaults.*(each.member);
    using T = std::remove_cvref_t<decltype(value)>;
    all.push_back(describe_field(each.marks, type_name(value), value_text(value),
                                 std::is_same_v<T, double>, kTakesPrefix<T>));
  };
  std::apply([&](const auto&... each) { (add(each), ...); }, C::fields());
  return all;
}

}  // namespace millrace
