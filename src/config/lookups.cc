#include "config/lookups.h"

#include <fmt/core.h>
#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

namespace millrace {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::optional<std::string> find(const TextMap& map, std::string_view name) {
  const auto place = map.find(name);
  return place != map.end() ? std::optional(place->second) : std::nullopt;
}

std::string or_else(const TextMap& map, std::string_view name, std::string_view otherwise) {
  return find(map, name).value_or(std::string(otherwise));
}

TextMap environment_of_process() {
  TextMap all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t sign = text.find('=');
    if (sign != std::string_view::npos) {
      all.emplace(text.substr(0, sign), text.substr(sign + 1));
    }
  }
  return all;
}

// Name and home of the user, from the user database or else the environment.
void add_user(const TextMap& environment, TextMap& out) {
  char space[4096];
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, space, sizeof(space), &found) == 0 && found != nullptr) {
    out["user.name"] = entry.pw_name;
    out["user.home"] = entry.pw_dir;
    return;
  }
  out["user.name"] = or_else(environment, "USER", "?");
  out["user.home"] = or_else(environment, "HOME", "?");
}

TextMap platform_properties(const TextMap& environment) {
  TextMap all{{"java.io.tmpdir", "/tmp"},
              {"file.separator", "/"},
              {"path.separator", ":"},
              {"line.separator", "\n"}};
  add_user(environment, all);
  std::error_code failed;
  all["user.dir"] = std::filesystem::current_path(failed).string();
  utsname system{};
  if (uname(&system) == 0) {
    const std::string machine = system.machine;
    all["os.name"] = system.sysname;
    all["os.version"] = system.release;
    all["os.arch"] = machine == "x86_64" ? "amd64" : machine;
  }
  return all;
}

// What the names of ${java:…} say. There is no Java here: -Djava.version=… may name one.
std::optional<std::string> look_up_java(const LookupContext& context, std::string_view name) {
  const TextMap& system = context.system_properties;
  if (name == "version") {
    return "Java version " + or_else(system, "java.version", "none");
  }
  if (name == "runtime") {
    return "Millrace (no Java runtime)";
  }
  if (name == "vm") {
    return "none (native code)";
  }
  if (name == "os") {
    return fmt::format("{} {}, architecture: {}", or_else(system, "os.name", "?"),
                       or_else(system, "os.version", "?"), or_else(system, "os.arch", "?"));
  }
  if (name == "hardware") {
    return fmt::format("processors: {}, architecture: {}", std::thread::hardware_concurrency(),
                       or_else(system, "os.arch", "?"));
  }
  if (name == "locale") {
    return "default locale: " + or_else(context.environment, "LANG", "C") +
           ", platform encoding: UTF-8";
  }
  return std::nullopt;
}

}  // namespace

LookupContext process_lookups(const TextMap& defines, WallTime now) {
  LookupContext context;
  context.environment = environment_of_process();
  context.system_properties = platform_properties(context.environment);
  for (const auto& define : defines) {
    context.system_properties[define.first] = define.second;
  }
  context.now = now;
  context.bare_names_are_environment =
      or_else(defines, "propertiesImplementation", "").ends_with("EnvVarResolverProperties");
  return context;
}

bool is_lookup_prefix(std::string_view prefix) {
  const std::string name = lower(prefix);
  return name == "env" || name == "sys" || name == "java" || name == "date";
}

std::optional<std::string> look_up(const LookupContext& context, std::string_view prefix,
                                   std::string_view name) {
  const std::string kind = lower(prefix);
  if (kind == "env") {
    return find(context.environment, name);
  }
  if (kind == "sys") {
    return find(context.system_properties, name);
  }
  if (kind == "java") {
    return look_up_java(context, name);
  }
  return kind == "date" ? format_java_date(name, context.now) : std::nullopt;
}

}  // namespace millrace
