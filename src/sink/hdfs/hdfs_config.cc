#include "sink/hdfs/hdfs_config.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/checksum.h"
#include "client/dfs/url.h"
#include "core/component_choice.h"
#include "io/time_zone_name.h"
#include "sink/event_text.h"
#include "sink/hdfs/file_type.h"

namespace millrace {
namespace {

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

RoundUnit unit_of(const std::string& word) {
  const std::string unit = lower(word);
  return unit == "second"   ? RoundUnit::kSecond
         : unit == "minute" ? RoundUnit::kMinute
         : unit == "hour"   ? RoundUnit::kHour
                            : RoundUnit::kNone;
}

void check_place(const HdfsSinkConfig& config, ConfigCheck& check) {
  Result<dfs::Url> url = dfs::parse_url(config.path);
  if (!url.ok()) {
    check.fault("hdfs.path", url.error().message());
  } else if (url->authority.find('%') != std::string::npos) {
    check.fault("hdfs.path", "which file system it is cannot depend on the event");
  } else if (!url->scheme.empty() && url->scheme != "hdfs" && url->scheme != "file") {
    check.fault("hdfs.path", "expected a URL that begins with hdfs:// or file://");
  }
  for (const auto& [key, text] :
       {std::pair{"hdfs.path", &config.path}, std::pair{"hdfs.filePrefix", &config.file_prefix}}) {
    if (const auto parsed = EventText::parse(*text, {}); !parsed.ok()) {
      check.fault(key, parsed.error().message());
    }
  }
}

void check_time(const HdfsSinkConfig& config, ConfigCheck& check) {
  if (!config.time_zone.empty()) {
    const auto zone = TimeZone::load(real_file_system(), time_zone_folder(), config.time_zone);
    if (!zone.ok()) {
      check.fault("hdfs.timeZone", zone.error().message());
    }
  }
  if (!config.round) {
    return;
  }
  const RoundUnit unit = unit_of(config.round_unit);
  if (unit == RoundUnit::kNone) {
    check.warn("hdfs.roundUnit", "expected second, minute or hour; nothing is rounded");
  } else if (unit == RoundUnit::kHour && config.round_value > 24) {
    check.fault("hdfs.roundValue", "expected at most 24 hours");
  }
}

void check_names(const HdfsSinkConfig& config, ConfigCheck& check) {
  if (config.empty_in_use_suffix && config.in_use_suffix != HdfsSinkConfig().in_use_suffix) {
    check.warn("hdfs.inUseSuffix", "has no effect, for hdfs.emptyInUseSuffix is true");
  }
  const bool same_name = config.in_use_prefix.empty() && config.in_use_end().empty();
  if (config.exactly_once() && same_name) {
    check.fault("hdfs.delivery",
                "exactly-once delivery needs another name for files that are being written: set "
                "hdfs.inUsePrefix or hdfs.inUseSuffix");
  }
  if (config.exactly_once() && config.sync == "hflush") {
    check.fault("hdfs.sync", "exactly-once delivery needs files that are on disk: hsync");
  }
  if (config.sync == "hflush" && !config.exactly_once()) {
    check.warn("hdfs.sync",
               "the channel forgets events that are in the memory of DataNodes and on no disk, as "
               "with Flume");
  }
  for (const auto& [key, text] : {std::pair{"hdfs.inUsePrefix", &config.in_use_prefix},
                                  std::pair{"hdfs.inUseSuffix", &config.in_use_suffix},
                                  std::pair{"hdfs.fileSuffix", &config.file_suffix}}) {
    if (text->find('/') != std::string::npos) {
      check.fault(key, "expected a part of a name, without a slash");
    }
  }
}

void check_security(const HdfsSinkConfig& config, ConfigCheck& check) {
  for (const auto& [key, value] : {std::pair{"hdfs.kerberosPrincipal", &config.kerberos_principal},
                                   std::pair{"hdfs.kerberosKeytab", &config.kerberos_keytab},
                                   std::pair{"hdfs.proxyUser", &config.proxy_user}}) {
    if (!value->empty()) {
      check.fault(key, "secure clusters and proxy users are not supported yet");
    }
  }
}

}  // namespace

void HdfsSinkConfig::check(ConfigCheck& check) const {
  check_place(*this, check);
  check_time(*this, check);
  check_names(*this, check);
  check_security(*this, check);
  check_file_type(*this, check);
}

EventTimeRules HdfsSinkConfig::time_rules() const {
  EventTimeRules rules;
  if (!time_zone.empty()) {
    Result<TimeZone> zone = TimeZone::load(real_file_system(), time_zone_folder(), time_zone);
    CHECK(zone.ok());
    rules.zone = std::move(zone).value();
  }
  rules.unit = round ? unit_of(round_unit) : RoundUnit::kNone;
  rules.value = round_value;
  return rules;
}

std::chrono::milliseconds HdfsSinkConfig::longest_call() const {
  return call_timeout.count() > 0 ? call_timeout : std::chrono::hours(24 * 365);
}

std::uint32_t HdfsSinkConfig::most_tries() const {
  if (retry_interval.count() <= 0) {
    return 1;
  }
  return close_tries > 0 ? static_cast<std::uint32_t>(close_tries) : 0;
}

// Sinks of one name that write elsewhere belong to other agents.
std::filesystem::path HdfsSinkConfig::ledger_path(const std::string& name) const {
  const char* const home = std::getenv("HOME");
  const std::filesystem::path folder =
      state_dir.empty()
          ? std::filesystem::path(home != nullptr ? home : "/") / ".flume" / "hdfs-sink"
          : state_dir;
  return folder / fmt::format("{}-{:08x}.ledger", name, crc32c(path + '\n' + file_prefix));
}

}  // namespace millrace
