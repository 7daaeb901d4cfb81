#include "source/syslog/syslog_tcp.h"

#include "core/registry.h"

namespace millrace {

void SyslogTcpConfig::check(ConfigCheck& check) const {
  check_message(check);
  check_tls(check);
  check_format(check);
}

SyslogTcpSource::SyslogTcpSource(Config config, SourceContext context)
    : config_(std::move(config)), context_(std::move(context)) {}

SyslogTcpSource::~SyslogTcpSource() = default;

Result<> SyslogTcpSource::start() {
  SyslogServerOptions options = TRY(config_.server_options());
  options.dialect.rules = SyslogDialect::Rules::kPattern;
  options.dialect.custom = TRY(config_.custom_format());
  options.batch_size = kMostEventsOfPut;
  auto server = std::make_unique<SyslogServer>(std::move(options), context_);
  server->start();
  TRY(server->listen(config_.port));
  server_ = std::move(server);
  return {};
}

void SyslogTcpSource::stop(SteadyTime deadline) {
  if (server_) {
    server_->stop(deadline);
    server_.reset();
  }
}

std::uint16_t SyslogTcpSource::port() const {
  return server_->ports().front();
}

const RegisterSource<SyslogTcpSource> entry{
    "syslogtcp", "org.apache.flume.source.SyslogTcpSource",
    "Receives syslog messages over TCP, one a line, on one port."};

}  // namespace millrace
