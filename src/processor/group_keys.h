// The keys that every sink group has, whatever its processor.
#pragma once

#include <string>
#include <vector>

#include "config/fields.h"

namespace millrace {

struct GroupKeys {
  std::vector<std::string> sinks;

  static constexpr auto fields() {
    return std::tuple{
        field("sinks", &GroupKeys::sinks, "Names of the group's sinks, separated by blanks.")
            .required()
            .example("k1 k2")};
  }
};

}  // namespace millrace
