// The keys that syslog sources share.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "config/fields.h"
#include "core/claim.h"
#include "source/syslog/syslog_server.h"
#include "source/tls_server_config.h"

namespace millrace {

// Of all.
struct SyslogMessageConfig {
  std::string keep_fields = "none";
  std::string client_ip_header;
  std::string client_hostname_header;

  static constexpr auto fields() {
    using C = SyslogMessageConfig;
    return std::tuple{
        field("keepFields", &C::keep_fields,
              "What stays in the body of the message's head: none, all, or any of priority, "
              "version, timestamp, hostname.")
            .example("timestamp hostname"),
        field("clientIPHeader", &C::client_ip_header,
              "Name of a header that gets the client's address.")
            .example("ip"),
        field("clientHostnameHeader", &C::client_hostname_header,
              "Name of a header that gets the client's host name; it is looked up once for an "
              "address, and clients wait meanwhile.")
            .example("client"),
    };
  }
  void check_message(ConfigCheck& check) const;
};

// A message format of one's own.
struct SyslogFormatConfig {
  std::string format_regex;
  std::string format_search;
  std::string format_replace;
  std::string format_date;

  static constexpr auto fields() {
    using C = SyslogFormatConfig;
    return std::tuple{
        field("format.regex", &C::format_regex,
              "A message format that is tried before the built-in ones; its groups are "
              "priority, version, time, host, message.")
            .example(R"(<(\d+)>(\d?) ?(\S+) (\S+) (.*))"),
        field("format.search", &C::format_search,
              "Regular expression whose matches in the time are replaced before it is read."),
        field("format.replace", &C::format_replace, "What replaces them."),
        field("format.dateFormat", &C::format_date,
              "Pattern of the time, as Java's SimpleDateFormat has it.")
            .example("yyyy-MM-dd HH:mm:ss"),
    };
  }
  void check_format(ConfigCheck& check) const;
  // Nothing when no format of its own is given.
  Result<std::optional<CustomFormat>> custom_format() const;
};

// Of those over TCP.
struct SyslogConfig : SyslogMessageConfig, TlsServerConfig {
  static constexpr std::uint32_t kLeastEventSize = 10;  // Flume 1.11, SyslogUtils.

  std::string host = "0.0.0.0";
  std::uint32_t event_size = 2500;
  std::string framing = "auto";
  std::chrono::milliseconds turn_pause{1};

  static constexpr auto fields() {
    using C = SyslogConfig;
    return std::tuple_cat(
        std::tuple{
            field("host", &C::host, "Address or host name to listen on."),
            field("eventSize", &C::event_size,
                  "Longest message, in bytes; a longer one is cut there and marked Incomplete.")
                .range(1, 16 * 1024 * 1024),
            field("framing", &C::framing,
                  "Where messages end: auto, behind as many bytes as the count in front of them "
                  "says, or at a newline when there is no count; newline, at newlines alone, as in "
                  "Flume.")
                .choices({"auto", "newline"}),
            field("turnPause", &C::turn_pause,
                  "Longest pause between two reads of a steady trickle, which saves CPU time; 0 "
                  "turns it off.")
                .range(0, 100),
        },
        SyslogMessageConfig::fields(), TlsServerConfig::fields());
  }
  // All but ports, charsets and the dialect's rules; kConfig when the TLS keys do not do.
  Result<SyslogServerOptions> server_options() const;
};

}  // namespace millrace
