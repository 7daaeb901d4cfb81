// Config filters: ${name["key"]} in the values of one agent's parts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/lookups.h"

namespace millrace {

// A filter by the name that values use. `look_up` gives nothing for a key that it does not know.
struct ConfigFilter {
  std::string name;
  std::function<std::optional<std::string>(std::string_view key)> look_up;
};

// The filter of type `env` (or its class name): variables of `environment`, which it copies.
// nullopt for a type that is not built in.
std::optional<ConfigFilter> make_config_filter(std::string name, std::string_view type,
                                               const TextMap& environment);

// `text` with ${name["key"]}, ${name['key']} and ${name[key]} replaced, a key being of letters,
// digits, '-' and '_'. Keys that the filter does not know, and other text, stay; the former are
// appended to `unknown` as they stand.
std::string apply_config_filter(const ConfigFilter& filter, std::string_view text,
                                std::vector<std::string>& unknown);

}  // namespace millrace
