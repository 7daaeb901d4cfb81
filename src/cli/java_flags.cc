#include "cli/java_flags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

namespace millrace {
namespace {

constexpr std::array<std::string_view, 3> kAgents{"-agentlib:", "-agentpath:", "-javaagent:"};

// "512m" → bytes. As java(1) has it: k, m, g or t in either case, or plain bytes.
std::optional<std::uint64_t> java_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number == 0) {
    return std::nullopt;
  }
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty()) {
    return number;
  }
  const std::size_t power = std::string_view("kmgt").find(static_cast<char>(unit[0] | 0x20));
  if (unit.size() > 1 || power == std::string_view::npos) {
    return std::nullopt;
  }
  const unsigned shift = 10 * (static_cast<unsigned>(power) + 1);
  if (number > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    return std::nullopt;
  }
  return number << shift;
}

void take_property(std::string_view text, JavaFlags& flags) {
  const std::size_t equals = text.find('=');
  const std::string key(text.substr(0, equals));
  flags.properties[key] = equals == std::string_view::npos ? "" : text.substr(equals + 1);
}

bool is_agent(std::string_view argument) {
  return std::any_of(kAgents.begin(), kAgents.end(),
                     [&](std::string_view agent) { return argument.starts_with(agent); });
}

// True when `argument` was one.
Result<bool> take_one(const std::string& argument, JavaFlags& flags) {
  const std::string_view text(argument);
  if (text.size() > 2 && text.starts_with("-D")) {
    take_property(text.substr(2), flags);
    return true;
  }
  if (text.starts_with("-Xmx")) {
    flags.most_memory_bytes = java_size(text.substr(4));
    if (!flags.most_memory_bytes) {
      return bad_config(argument + ": expected a size such as -Xmx512m");
    }
    return true;
  }
  if (text.starts_with("-X") || is_agent(text)) {
    flags.ignored.push_back(argument);
    return true;
  }
  return false;
}

}  // namespace

const std::string* JavaFlags::find(const std::string& key) const {
  const auto found = properties.find(key);
  return found == properties.end() ? nullptr : &found->second;
}

Result<JavaFlags> take_java_flags(std::vector<std::string>& arguments) {
  JavaFlags flags;
  std::vector<std::string> rest;
  bool open = true;  // Until "--".
  for (std::string& argument : arguments) {
    open = open && argument != "--";
    if (!open || !TRY(take_one(argument, flags))) {
      rest.push_back(std::move(argument));
    }
  }
  arguments = std::move(rest);
  return flags;
}

}  // namespace millrace
