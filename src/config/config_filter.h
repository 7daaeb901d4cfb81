// Config filters: ${name["key"]} in the values of one agent's parts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/diagnostics.h"
#include "config/fields.h"
#include "config/lookups.h"
#include "config/property_section.h"

namespace millrace {

// A filter by the name that values use. `look_up` gives nothing for a key that it does not know,
// and an error when it cannot tell. What it gives may be a secret: no message may show it.
struct ConfigFilter {
  std::string name;
  std::function<Result<std::optional<std::string>>(std::string_view key)> look_up;
};

// A use of a filter, `${f1["key"]}`, and what took its place.
struct FilterHit {
  std::string use;
  std::string value;
};

// A use of a filter that stays as it stands: `${f1["key"]}`. `why` is empty where the key is not
// known.
struct FilterMiss {
  std::string use;
  std::string why;
};

// What is known of a kind of filters without making one.
struct ConfigFilterType {
  std::string_view alias;
  std::string_view class_name;  // Flume's.
  std::string_view about;       // A sentence for the reference.
  std::vector<FieldDescription> fields;

  // Whether `type` means it, as Flume compares: aliases in any case, class names to the letter.
  bool is_named(std::string_view type) const;
};

// Those that are built in: env and external.
const std::vector<ConfigFilterType>& config_filter_types();

// Whether a filter of this type, an alias or a class name, is built in.
bool is_config_filter(std::string_view type);

// The filter of type `env`: variables of `environment`, which it copies; of type `external`: see
// external_filter.h. nullopt, with what is wrong in `diagnostics`, when its `keys` do not do.
std::optional<ConfigFilter> make_config_filter(std::string name, std::string_view type,
                                               const PropertySection& keys,
                                               const TextMap& environment,
                                               Diagnostics& diagnostics);

// `text` with ${name["key"]}, ${name['key']} and ${name[key]} replaced, a key being of letters,
// digits, '-' and '_'. Keys that the filter gives nothing for, and other text, stay. Each use is
// appended to `hits` or to `misses`.
std::string apply_config_filter(const ConfigFilter& filter, std::string_view text,
                                std::vector<FilterHit>& hits, std::vector<FilterMiss>& misses);

// A use of a filter: its name, and all of it.
struct FilterUse {
  std::string name;
  std::string use;  // `${f1["key"]}`
};
std::vector<FilterUse> filter_uses(std::string_view text);

}  // namespace millrace
