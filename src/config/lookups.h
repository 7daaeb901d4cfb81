// What ${prefix:name} in a value stands for: the environment, -D properties, the platform, the
// date.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace millrace {

using TextMap = std::map<std::string, std::string, std::less<>>;

// The world that values may refer to; a copy, so that one load sees one state of it.
struct LookupContext {
  TextMap environment;
  TextMap system_properties;  // From -Dname=value, over what process_lookups() puts here.
  WallTime now{};
  // -DpropertiesImplementation=org.apache.flume.node.EnvVarResolverProperties: a bare ${NAME} that
  // is no property is an environment variable.
  bool bare_names_are_environment = false;
};

// The environment of this process, and the system properties that a JVM would have of itself
// (user.home, user.name, user.dir, java.io.tmpdir, os.name, os.arch, os.version, the separators)
// with `defines` over them.
LookupContext process_lookups(const TextMap& defines, WallTime now);

// The value of `name` for one of the prefixes env, sys, java, date (in any case); nullopt when the
// prefix is another one or the name has no value.
std::optional<std::string> look_up(const LookupContext& context, std::string_view prefix,
                                   std::string_view name);

// Whether look_up() knows the prefix.
bool is_lookup_prefix(std::string_view prefix);

// `time` in local time by a pattern of Java's SimpleDateFormat (y M d D H k K h m s S E u a z Z X,
// quoted text), names in English; nullopt when the pattern holds another letter or an open quote.
std::optional<std::string> format_java_date(std::string_view pattern, WallTime time);

}  // namespace millrace
