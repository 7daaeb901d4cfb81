#include "config/interpolation.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace millrace {

namespace {

constexpr std::string_view kOpen = "${";
constexpr std::size_t kDeepest = 64;              // References within references.
constexpr std::size_t kMostReferences = 1 << 22;  // In all values together, repeats included.

// Where the "}" of the variable whose name begins at `at` stands; npos when there is none.
std::size_t find_close(std::string_view text, std::size_t at) {
  std::size_t open = 0;
  while (at < text.size()) {
    if (text.substr(at).starts_with(kOpen)) {
      ++open;
      at += kOpen.size();
      continue;
    }
    if (text[at] == '}' && open-- == 0) {
      return at;
    }
    ++at;
  }
  return std::string_view::npos;
}

bool is_system_property(std::string_view prefix) {
  return prefix.size() == 3 && strncasecmp(prefix.data(), "sys", 3) == 0;
}

class Interpolator {
 public:
  Interpolator(const PropertySection& merged, const LookupContext& context,
               Diagnostics& diagnostics)
      : entries_(merged.entries()), context_(context), diagnostics_(diagnostics) {
    values_.resize(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      index_.emplace(entries_[i].full_key, i);
    }
  }

  Interpolated run() {
    Interpolated result;
    std::vector<Property> resolved;
    resolved.reserve(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      resolved.push_back(entries_[i]);
      resolved.back().value = value_of(i);
    }
    result.properties = PropertySection("", std::move(resolved));
    result.referenced = std::move(referenced_);
    return result;
  }

 private:
  // The resolved value of an entry, worked out once.
  const std::string& value_of(std::size_t i) {
    if (!values_[i].has_value()) {
      const Property* const before = std::exchange(current_, &entries_[i]);
      active_.push_back(entries_[i].full_key);
      std::string value = substitute(entries_[i].value);
      if (resolved_bytes_ + value.size() > kMostResolvedBytes) {
        report(Severity::kError, "the values grow beyond 64 MiB by their references");
        value = entries_[i].value;
      }
      resolved_bytes_ += value.size();
      active_.pop_back();
      current_ = before;
      values_[i] = std::move(value);
    }
    return *values_[i];
  }

  std::string substitute(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    for (;;) {
      const std::size_t open = text.find(kOpen, at);
      const std::size_t close = open == std::string_view::npos
                                    ? std::string_view::npos
                                    : find_close(text, open + kOpen.size());
      if (close == std::string_view::npos) {
        return out.append(text.substr(at));
      }
      if (open > at && text[open - 1] == '$') {
        out.append(text.substr(at, open - 1 - at)).append(kOpen);
        at = open + kOpen.size();
        continue;
      }
      out.append(text.substr(at, open - at));
      const std::string_view whole = text.substr(open, close + 1 - open);
      out.append(resolve(whole.substr(2, whole.size() - 3)).value_or(std::string(whole)));
      if (out.size() > kMostValueBytes) {
        report(Severity::kError, "grows beyond 1 MiB by its references");
        return std::string(text);
      }
      at = close + 1;
    }
  }

  // What stands between "${" and "}"; nullopt: stays as it is.
  std::optional<std::string> resolve(std::string_view expression) {
    if (active_.size() > kDeepest || depth_ > kDeepest) {
      report(Severity::kError, fmt::format("is nested deeper than {} references", kDeepest));
      return std::nullopt;
    }
    if (references_ == kMostReferences) {
      return std::nullopt;
    }
    if (++references_ == kMostReferences) {
      report(Severity::kError, "there are too many references: no more are resolved");
    }
    ++depth_;
    const std::string resolved = substitute(expression);
    --depth_;
    const std::string_view text = resolved;
    const std::size_t sign = text.find(":-");
    const std::string_view name = text.substr(0, sign);
    std::optional<std::string> value = look_up_name(name);
    if (!value.has_value() && sign != std::string_view::npos) {
      return std::string(text.substr(sign + 2));
    }
    if (!value.has_value() && is_lookup_prefix(name.substr(0, name.find(':')))) {
      report(Severity::kWarning, fmt::format("${{{}}} has no value and stays as it is", name));
    }
    return value;
  }

  // A prefix that gives nothing is dropped, and the rest is a property's name, as in Commons Text.
  std::optional<std::string> look_up_name(std::string_view name) {
    const std::size_t colon = name.find(':');
    if (colon != std::string_view::npos) {
      const std::string_view rest = name.substr(colon + 1);
      const std::string_view prefix = name.substr(0, colon);
      std::optional<std::string> value = look_up(context_, prefix, rest);
      if (!value.has_value()) {
        return property(rest);
      }
      if (is_system_property(prefix)) {
        referenced_.insert("sys:" + std::string(rest));
      }
      return resolve_again(name, *value);
    }
    std::optional<std::string> value = property(name);
    const auto variable = context_.environment.find(name);
    if (!value.has_value() && context_.bare_names_are_environment &&
        variable != context_.environment.end()) {
      return variable->second;
    }
    return value;
  }

  // A variable of the environment may hold references of its own.
  std::optional<std::string> resolve_again(std::string_view name, const std::string& value) {
    if (value.find(kOpen) == std::string::npos) {
      return value;
    }
    if (is_circle(name)) {
      return std::nullopt;
    }
    active_.emplace_back(name);
    std::string resolved = substitute(value);
    active_.pop_back();
    return resolved;
  }

  std::optional<std::string> property(std::string_view name) {
    const auto place = index_.find(std::string(name));
    if (place == index_.end()) {
      return std::nullopt;
    }
    referenced_.emplace(name);
    if (!values_[place->second].has_value() && is_circle(name)) {
      return std::nullopt;
    }
    return value_of(place->second);
  }

  // Whether `name` is being resolved already; said when it is.
  bool is_circle(std::string_view name) {
    const auto first = std::find(active_.begin(), active_.end(), name);
    if (first == active_.end()) {
      return false;
    }
    std::string path;
    for (auto step = first; step != active_.end(); ++step) {
      path += *step + " -> ";
    }
    report(Severity::kError, "refers to itself: " + path + std::string(name));
    return true;
  }

  // The value is not shown: it may hold a secret beside the reference.
  void report(Severity severity, std::string message) {
    diagnostics_.add(
        {severity, current_->file, current_->line, current_->full_key, "", std::move(message), ""});
  }

  const std::vector<Property>& entries_;
  const LookupContext& context_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::optional<std::string>> values_;
  std::set<std::string, std::less<>> referenced_;
  std::vector<std::string> active_;    // What is being resolved, outermost first.
  const Property* current_ = nullptr;  // The entry that messages are about.
  std::size_t depth_ = 0;              // Of names within names.
  std::size_t resolved_bytes_ = 0;
  std::size_t references_ = 0;
};

}  // namespace

Interpolated interpolate(const PropertySection& merged, const LookupContext& context,
                         Diagnostics& diagnostics) {
  return Interpolator(merged, context, diagnostics).run();
}

}  // namespace millrace
