#include "config/config_filter.h"

#include <utility>

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

bool equal_in_any_case(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (c != lower[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<ConfigFilter> make_config_filter(std::string name, std::string_view type,
                                               const TextMap& environment) {
  if (!equal_in_any_case(type, "env") &&
      type != "org.apache.flume.configfilter.EnvironmentVariableConfigFilter") {
    return std::nullopt;
  }
  return ConfigFilter{std::move(name), [environment](std::string_view key) {
                        const auto place = environment.find(key);
                        return place != environment.end() ? std::optional(place->second)
                                                          : std::nullopt;
                      }};
}

std::string apply_config_filter(const ConfigFilter& filter, std::string_view text,
                                std::vector<std::string>& unknown) {
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
    const std::optional<std::string> value =
        use.key.empty() ? std::nullopt : filter.look_up(use.key);
    out.append(value.has_value() ? std::string_view(*value) : whole);
    if (!use.key.empty() && !value.has_value()) {
      unknown.emplace_back(whole);
    }
  }
}

}  // namespace millrace
