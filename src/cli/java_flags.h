// What start scripts written for a JVM pass along: -Dkey=value, -Xmx…, -agentlib….
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace millrace {

struct JavaFlags {
  std::map<std::string, std::string> properties;   // -Dkey=value; the last one of a key wins.
  std::optional<std::uint64_t> most_memory_bytes;  // -Xmx512m: becomes the byte budget.
  std::vector<std::string> ignored;                // As given: -Xms…, -XX:…, -agentlib:….

  // The value of a property, or nothing.
  const std::string* find(const std::string& key) const;
};

// Moves the Java flags out of `arguments`; the rest keeps its order. What stands behind "--" is
// left alone. kConfig for an -Xmx whose size cannot be read.
Result<JavaFlags> take_java_flags(std::vector<std::string>& arguments);

}  // namespace millrace
