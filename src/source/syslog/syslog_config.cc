#include "source/syslog/syslog_config.h"

#include <algorithm>

namespace millrace {

// As in Flume, a word that is none has no effect.
void SyslogMessageConfig::check_message(ConfigCheck& check) const {
  for (const std::string& word : unknown_keep_fields(keep_fields)) {
    check.warn("keepFields", "\"" + word + "\" stands for nothing; expected none, all, or any of " +
                                 "priority, version, timestamp, hostname");
  }
}

void SyslogFormatConfig::check_format(ConfigCheck& check) const {
  const auto format = custom_format();
  if (!format.ok()) {
    check.fault("format.regex", format.error().message());
  }
}

Result<std::optional<CustomFormat>> SyslogFormatConfig::custom_format() const {
  if (format_regex.empty()) {
    return std::optional<CustomFormat>();
  }
  return std::optional<CustomFormat>(
      TRY(CustomFormat::compile({format_regex, format_search, format_replace, format_date})));
}

Result<SyslogServerOptions> SyslogConfig::server_options() const {
  SyslogServerOptions options;
  options.host = host;
  options.dialect.keep = parse_keep_fields(keep_fields);
  options.event_size = std::max(event_size, kLeastEventSize);
  options.takes_counts = framing != "newline";
  options.turn_pause = turn_pause;
  options.client_ip_header = client_ip_header;
  options.client_hostname_header = client_hostname_header;
  options.tls = TRY(tls_context());
  return options;
}

}  // namespace millrace
