// Finds the component that a type asks for, and says what is wrong where there is none.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "config/nearest_name.h"
#include "core/registry.h"

namespace millrace {

// True for a type that Flume has, whether this build has it or not.
bool is_flume_type(std::string_view type);

// What takes the place of a type that is never going to be built in: "use ..."; empty for others.
std::string_view replacement_of(std::string_view type);

// An error at `key` of `section`, or at the section as a whole when the key is not there.
Diagnostic fault_at(const PropertySection& section, std::string_view key, std::string message);

// What is found about a part as a whole, at the line of its type.
Diagnostic about_part(const PropertySection& section, std::string message, Severity severity);

template <class RegistryType>
using PreparedOf =
    std::optional<Prepared<typename RegistryType::Base, typename RegistryType::Context>>;

// How bad it is that a part of this type is left out: an error, but a warning for a component of
// Flume's that this build does not have yet: the file is right. One that it never will has to be
// replaced.
template <class RegistryType>
Severity severity_of_absence(std::string_view type) {
  const bool is_built_in = RegistryType::instance().find(type) != nullptr;
  return !is_built_in && is_flume_type(type) && replacement_of(type).empty() ? Severity::kWarning
                                                                             : Severity::kError;
}

// The component of `type` with its keys read; nothing, and why in `diagnostics`, when it is
// unknown, not built in, or its keys have a fault. `type_key` is where `section` names the type.
template <class RegistryType>
PreparedOf<RegistryType> prepare(std::string_view type, const PropertySection& section,
                                 CommonKeys common, Diagnostics& diagnostics,
                                 std::string_view type_key = "type") {
  const auto& registry = RegistryType::instance();
  if (const auto* entry = registry.find(type)) {
    return entry->prepare(section, diagnostics, common);
  }
  const bool is_flumes = is_flume_type(type);
  const std::string_view replacement = replacement_of(type);
  std::string_view why = is_flumes ? "this component of Flume is not built in yet" : "unknown type";
  if (!replacement.empty()) {
    why = "this component of Flume is not built in";
  }
  Diagnostic fault = fault_at(section, type_key, std::string(why));
  fault.hint = replacement;
  fault.severity = severity_of_absence<RegistryType>(type);
  if (!is_flumes) {
    std::vector<std::string_view> known;
    for (const auto& entry : registry.entries()) {
      known.push_back(entry.info.alias.empty() ? entry.info.class_name : entry.info.alias);
    }
    fault.hint = did_you_mean(nearest_name(type, known));
  }
  diagnostics.add(std::move(fault));
  return std::nullopt;
}

}  // namespace millrace
