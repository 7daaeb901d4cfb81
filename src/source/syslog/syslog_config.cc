#include "source/syslog/syslog_config.h"

#include <algorithm>

namespace millrace {

Result<SyslogServerOptions> SyslogConfig::server_options() const {
  SyslogServerOptions options;
  options.host = host;
  options.dialect.keep = parse_keep_fields(keep_fields);
  options.event_size = std::max(event_size, kLeastEventSize);
  options.turn_pause = turn_pause;
  options.client_ip_header = client_ip_header;
  options.client_hostname_header = client_hostname_header;
  options.tls = TRY(tls_context());
  return options;
}

}  // namespace millrace
