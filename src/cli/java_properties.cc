#include "cli/java_properties.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "config/nearest_name.h"

namespace millrace {
namespace {

using Word = std::string_view;

// Read by agent_options.cc, time_zone.cc, config/lookups.cc and source/tls_server_config.cc.
constexpr auto kActing = std::to_array<Word>({
    "flume.monitoring.port",
    "flume.monitoring.type",
    "flume.root.logger",
    "flume.ssl.exclude.cipherSuites",
    "flume.ssl.exclude.protocols",
    "flume.ssl.include.cipherSuites",
    "flume.ssl.include.protocols",
    "javax.net.ssl.keyStore",
    "javax.net.ssl.keyStorePassword",
    "propertiesImplementation",
    "user.timezone",
});

// What Flume's scripts and guides pass, by the beginning of its name, and why it does nothing here.
constexpr auto kIdle = std::to_array<std::pair<Word, Word>>({
    {"log4j", "logs go to stderr, and -Dflume.root.logger=LEVEL sets their level"},
    {"flume.log.", "logs go to stderr"},
    {"org.apache.flume.log.", "neither bodies nor the configuration are logged as a whole"},
    {"flume.monitoring.", "it belongs to a type of monitoring that is not built in yet"},
    {"lookups", "the lookups are env, sys, java and date"},
    {"javax.net.ssl.", "PEM files are read, which have no such setting"},
    {"java.", "there is no JVM"},
    {"javax.", "there is no JVM"},
    {"jdk.", "there is no JVM"},
    {"sun.", "there is no JVM"},
    {"com.sun.", "there is no JVM"},
    {"file.encoding", "there is no JVM"},
    {"user.", "there is no JVM"},
});

std::string reason_for(Word name) {
  const Word nearest = nearest_name(name, {kActing.begin(), kActing.end()});
  if (!nearest.empty()) {
    return did_you_mean(nearest);
  }
  for (const auto& [beginning, reason] : kIdle) {
    if (name.starts_with(beginning)) {
      return std::string(reason);
    }
  }
  return fmt::format("no value refers to ${{sys:{}}}", name);
}

std::string upper(Word text) {
  std::string out(text);
  for (char& c : out) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

// "INFO, console" → "INFO", "CONSOLE"
std::vector<std::string> words_of(Word text) {
  std::vector<std::string> words(1);
  for (const char c : upper(text)) {
    if (c == ',') {
      words.emplace_back();
    } else if (c != ' ') {
      words.back() += c;
    }
  }
  return words;
}

constexpr auto kLevels = std::to_array<std::pair<Word, LogLevel>>({{"ALL", LogLevel::kDebug},
                                                                   {"TRACE", LogLevel::kDebug},
                                                                   {"DEBUG", LogLevel::kDebug},
                                                                   {"INFO", LogLevel::kInfo},
                                                                   {"WARN", LogLevel::kWarning},
                                                                   {"ERROR", LogLevel::kError},
                                                                   {"FATAL", LogLevel::kError},
                                                                   {"OFF", LogLevel::kOff}});

}  // namespace

void report_idle_properties(const JavaFlags& java,
                            const std::set<std::string, std::less<>>& referenced,
                            Diagnostics& diagnostics) {
  for (const auto& property : java.properties) {
    const std::string& name = property.first;
    if (std::find(kActing.begin(), kActing.end(), name) == kActing.end() &&
        !referenced.contains("sys:" + name)) {
      diagnostics.add(
          {Severity::kWarning, "", 0, "-D" + name, "", "has no effect", reason_for(name)});
    }
  }
}

RootLogger root_logger(const JavaFlags& java) {
  const std::string* const given = java.find("flume.root.logger");
  if (given == nullptr) {
    return {};
  }
  const std::vector<std::string> words = words_of(*given);
  const auto* const level = std::find_if(kLevels.begin(), kLevels.end(), [&](const auto& known) {
    return known.first == words.front();
  });
  if (level == kLevels.end()) {
    return {.note = fmt::format("flume.root.logger: \"{}\" is no level of log4j", *given)};
  }
  const bool elsewhere =
      words.size() > 1 && std::find(words.begin(), words.end(), "CONSOLE") == words.end();
  return {level->second, elsewhere ? "flume.root.logger: logs go to stderr, there are no other "
                                     "appenders"
                                   : ""};
}

}  // namespace millrace
