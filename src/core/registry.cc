#include "core/registry.h"

#include <algorithm>
#include <cctype>

namespace millrace {
namespace {

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::string_view without_builder(std::string_view name) {
  constexpr std::string_view kBuilder = "$Builder";
  return name.ends_with(kBuilder) ? name.substr(0, name.size() - kBuilder.size()) : name;
}

}  // namespace

bool is_component_name(std::string_view type, const ComponentInfo& info) {
  return (!info.alias.empty() && same_ignoring_case(type, info.alias)) ||
         without_builder(type) == without_builder(info.class_name);
}

}  // namespace millrace
