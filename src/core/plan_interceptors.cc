#include "core/plan_interceptors.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/component_types.h"

namespace millrace {
namespace {

void warn_of_unlisted(const std::vector<std::string>& names, const PropertySection& keys,
                      Diagnostics& diagnostics) {
  const PropertySection given = keys.sub("interceptors.");
  for (const Property& property : given.entries()) {
    const auto is_part = [&](const std::string& name) {
      return property.key.starts_with(name + ".");
    };
    if (std::none_of(names.begin(), names.end(), is_part)) {
      Diagnostic warning = fault_at(keys, "interceptors." + property.key,
                                    "is of no interceptor that \"interceptors\" lists");
      warning.hint = did_you_mean(nearest_name(property.key.substr(0, property.key.find('.')),
                                               {names.begin(), names.end()}));
      warning.severity = Severity::kWarning;
      diagnostics.add(std::move(warning));
    }
  }
}

}  // namespace

bool plan_interceptors(PlannedSource& source, const PropertySection& keys,
                       Diagnostics& diagnostics) {
  bool all_good = true;
  const std::vector<std::string> names = split_words(keys.value_or("interceptors", ""));
  warn_of_unlisted(names, keys, diagnostics);
  for (const std::string& name : names) {
    const PropertySection section = keys.sub("interceptors." + name + ".");
    const std::string type(section.value_or("type", ""));
    if (type.empty()) {
      diagnostics.add(
          fault_at(keys, "interceptors", fmt::format("interceptor {} has no type", name)));
      all_good = false;
    } else if (auto prepared =
                   prepare<InterceptorRegistry>(type, section, common_nested_keys(), diagnostics)) {
      source.interceptors.push_back({name, std::move(*prepared)});
    } else {
      all_good = false;
    }
  }
  return all_good;
}

}  // namespace millrace
