#include "config/config_filter.h"

#include <strings.h>

#include <algorithm>
#include <utility>

#include "config/external_filter.h"

namespace millrace {

namespace {

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// The key in `["key"]}`, with which `text` has to begin, and the length of it all; an empty key
// when `text` is something else.
struct Use {
  std::string_view key;
  std::size_t length = 0;
};

Use match_use(std::string_view text) {
  std::size_t at = 1;
  if (!text.starts_with('[') || at == text.size()) {
    return {};
  }
  std::string close = "]}";
  if (text[at] == '"' || text[at] == '\'') {
    close.insert(0, 1, text[at]);
    ++at;
  }
  const std::size_t begin = at;
  while (at < text.size() && is_key_letter(text[at])) {
    ++at;
  }
  if (at == begin || !text.substr(at).starts_with(close)) {
    return {};
  }
  return {text.substr(begin, at - begin), at + close.size()};
}

}  // namespace

bool ConfigFilterType::is_named(std::string_view type) const {
  return (type.size() == alias.size() &&
          strncasecmp(type.data(), alias.data(), alias.size()) == 0) ||
         type == class_name;
}

const std::vector<ConfigFilterType>& config_filter_types() {
  static const std::vector<ConfigFilterType> types{
      {"env",
       "org.apache.flume.configfilter.EnvironmentVariableConfigFilter",
       "Gives the values of environment variables.",
       {}},
      external_filter_type()};
  return types;
}

bool is_config_filter(std::string_view type) {
  const std::vector<ConfigFilterType>& types = config_filter_types();
  return std::any_of(types.begin(), types.end(),
                     [&](const ConfigFilterType& known) { return known.is_named(type); });
}

std::optional<ConfigFilter> make_config_filter(std::string name, std::string_view type,
                                               const PropertySection& keys,
                                               const TextMap& environment,
                                               Diagnostics& diagnostics) {
  if (external_filter_type().is_named(type)) {
    return make_external_filter(std::move(name), keys, diagnostics);
  }
  return ConfigFilter{
      std::move(name), [environment](std::string_view key) -> Result<std::optional<std::string>> {
        const auto place = environment.find(key);
        return place != environment.end() ? std::optional(place->second) : std::nullopt;
      }};
}

std::string apply_config_filter(const ConfigFilter& filter, std::string_view text,
                                std::vector<FilterHit>& hits, std::vector<FilterMiss>& misses) {
  const std::string open = "${" + filter.name;
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t begin = text.find(open, at);
    if (begin == std::string_view::npos) {
      return out.append(text.substr(at));
    }
    const Use use = match_use(text.substr(begin + open.size()));
    const std::string_view whole = text.substr(begin, open.size() + use.length);
    out.append(text.substr(at, begin - at));
    at = begin + whole.size();
    Result<std::optional<std::string>> value = std::optional<std::string>();
    if (!use.key.empty()) {
      value = filter.look_up(use.key);
    }
    const bool is_known = value.ok() && value.value().has_value();
    out.append(is_known ? std::string_view(*value.value()) : whole);
    if (is_known) {
      hits.push_back({std::string(whole), *value.value()});
    } else if (!use.key.empty()) {
      misses.push_back({std::string(whole), value.ok() ? "" : value.error().message()});
    }
  }
}

std::vector<FilterUse> filter_uses(std::string_view text) {
  std::vector<FilterUse> uses;
  for (std::size_t at = text.find("${"); at != std::string_view::npos;
       at = text.find("${", at + 2)) {
    const std::size_t end = text.find('[', at);
    const std::string_view name =
        end == std::string_view::npos ? "" : text.substr(at + 2, end - at - 2);
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_key_letter)) {
      continue;
    }
    if (const Use use = match_use(text.substr(end)); !use.key.empty()) {
      uses.push_back({std::string(name), std::string(text.substr(at, end - at + use.length))});
    }
  }
  return uses;
}

}  // namespace millrace
