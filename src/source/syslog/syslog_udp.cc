#include "source/syslog/syslog_udp.h"

#include <utility>

#include "core/registry.h"
#include "io/sockets.h"

namespace millrace {
namespace {

// The format was compiled once already, when the configuration was checked.
SyslogDialect dialect_of(const SyslogUdpConfig& config) {
  SyslogDialect dialect;
  dialect.keep = parse_keep_fields(config.keep_fields);
  if (auto format = config.custom_format(); format.ok()) {
    dialect.custom = std::move(format).value();
  }
  return dialect;
}

}  // namespace

SyslogUdpSource::SyslogUdpSource(Config config, SourceContext context)
    : DatagramSource(config, config.host, std::move(context)),
      config_(std::move(config)),
      invalid_events_(context_.metrics.counter("InvalidEventCount")),
      indexer_(dialect_of(config_)) {}

bool SyslogUdpSource::names_clients() const {
  return !config_.client_ip_header.empty() || !config_.client_hostname_header.empty();
}

void SyslogUdpSource::begin_read() {
  now_ms_ = context_.services.clock.wall_ms();
  indexer_.start_read(origin_, now_ms_);
}

void SyslogUdpSource::add(EventBatch::Builder& builder, std::string_view text,
                          const sockaddr_storage& peer) {
  if (names_clients()) {
    if (std::string client = address_of(peer).address; client != client_) {
      client_ = std::move(client);
      origin_ = {};
      origin_.add_client(config_.client_ip_header, config_.client_hostname_header, client_);
      indexer_.start_read(origin_, now_ms_);
    }
  }
  indexer_.add(builder, {text, false});
  invalid_events_.add(indexer_.take_counts().invalid);
}

const RegisterSource<SyslogUdpSource> entry{"syslogudp", "org.apache.flume.source.SyslogUDPSource",
                                            "Receives syslog messages over UDP, one a datagram."};

}  // namespace millrace
