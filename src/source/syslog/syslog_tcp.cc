#include "source/syslog/syslog_tcp.h"

#include "core/registry.h"

namespace millrace {

Result<std::optional<CustomFormat>> SyslogTcpConfig::custom_format() const {
  if (format_regex.empty()) {
    return std::optional<CustomFormat>();
  }
  return std::optional<CustomFormat>(
      TRY(CustomFormat::compile({format_regex, format_search, format_replace, format_date})));
}

void SyslogTcpConfig::check(ConfigCheck& check) const {
  check_tls(check);
  const auto format = custom_format();
  if (!format.ok()) {
    check.fault("format.regex", format.error().message());
  }
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
