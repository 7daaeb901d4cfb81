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

// An error at `key` of `section`, or at the section as a whole when the key is not there.
Diagnostic fault_at(const PropertySection& section, std::string_view key, std::string message);

template <class RegistryType>
using PreparedOf =
    std::optional<Prepared<typename RegistryType::Base, typename RegistryType::Context>>;

// The component of `type` with its keys read; nothing, and why in `diagnostics`, when it is
// unknown, not built in, or its keys have a fault.
template <class RegistryType>
PreparedOf<RegistryType> prepare(std::string_view type, const PropertySection& section,
                                 CommonKeys common, Diagnostics& diagnostics) {
  const auto& registry = RegistryType::instance();
  if (const auto* entry = registry.find(type)) {
    return entry->prepare(section, diagnostics, common);
  }
  const bool is_flumes = is_flume_type(type);
  Diagnostic fault = fault_at(
      section, "type", is_flumes ? "this component of Flume is not built in yet" : "unknown type");
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
