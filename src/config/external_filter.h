// The config filter `external`: values that a command prints (Flume 1.11,
// org.apache.flume.configfilter.ExternalProcessConfigFilter).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "config/config_filter.h"
#include "config/fields.h"

namespace millrace {

struct ExternalFilterConfig {
  std::string command;
  std::string charset = "UTF-8";
  std::chrono::milliseconds timeout{10'000};

  static constexpr auto fields() {
    using C = ExternalFilterConfig;
    return std::tuple{
        field("command", &C::command,
              "Command, split at blanks, without a shell; the key comes behind it. The first line "
              "that it prints is the value.")
            .required()
            .example("/usr/local/bin/secret --show"),
        field("charset", &C::charset, "Of what the command prints.")
            .choices({"UTF-8", "UTF8", "US-ASCII", "ISO-8859-1"}),
        field("timeout", &C::timeout,
              "Milliseconds after which the command is killed. Not a key of Flume's.")
            .range(1, 600'000),
    };
  }
};

ConfigFilterType external_filter_type();

// Runs the command once for each key. An error when it cannot be started, does not end in time,
// ends with another status than 0, or prints nothing or no text: what it printed is in no message.
// nullopt, said, when `keys` have a fault.
std::optional<ConfigFilter> make_external_filter(std::string name, const PropertySection& keys,
                                                 Diagnostics& diagnostics);

}  // namespace millrace
