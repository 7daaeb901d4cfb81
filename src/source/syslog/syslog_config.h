// The keys that both syslog TCP sources have.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>

#include "config/fields.h"
#include "source/syslog/syslog_server.h"
#include "source/tls_server_config.h"

namespace millrace {

struct SyslogConfig : TlsServerConfig {
  static constexpr std::uint32_t kLeastEventSize = 10;  // Flume 1.11, SyslogUtils.

  std::string host = "0.0.0.0";
  std::uint32_t event_size = 2500;
  std::string keep_fields = "none";
  std::string client_ip_header;
  std::string client_hostname_header;
  std::chrono::milliseconds turn_pause{1};

  static constexpr auto fields() {
    using C = SyslogConfig;
    return std::tuple_cat(
        std::tuple{
            field("host", &C::host, "Address or host name to listen on."),
            field("eventSize", &C::event_size,
                  "Longest line, in bytes; a longer one is cut there and marked Incomplete.")
                .range(1, 16 * 1024 * 1024),
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
            field("turnPause", &C::turn_pause,
                  "Longest pause between two reads of a steady trickle, which saves CPU time; 0 "
                  "turns it off.")
                .range(0, 100),
        },
        TlsServerConfig::fields());
  }
  // All but ports, charsets and the dialect's rules; kConfig when the TLS keys do not do.
  Result<SyslogServerOptions> server_options() const;
};

}  // namespace millrace
