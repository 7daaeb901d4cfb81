#include "source/syslog/multiport_syslog_tcp.h"

#include <charconv>
#include <optional>

#include "base/log.h"
#include "core/registry.h"

namespace millrace {
namespace {

constexpr std::chrono::seconds kPortRetry{3};  // As Flume's supervisor.

std::optional<std::uint16_t> port_number(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional<std::uint16_t>(port) : std::nullopt;
}

}  // namespace

// What a timer holds: the source, until it is stopped. Threads: the loop's.
struct MultiportSyslogSource::Retry {
  MultiportSyslogSource* source;
};

void MultiportSyslogConfig::check(ConfigCheck& check) const {
  check_message(check);
  check_tls(check);
  for (const std::string& port : ports) {
    if (!port_number(port)) {
      check.fault("ports", "\"" + port + "\" is no port; expected numbers from 0 to 65535");
    }
  }
  SyslogOrigin origin;
  if (const auto known = origin.set_charset(charset); !known.ok()) {
    check.fault("charset.default", known.error().message());
  }
  for (const auto& [port, name] : port_charsets) {
    if (!port_number(port)) {
      check.fault("charset.port.", "\"" + port + "\" is no port");
    }
    if (const auto known = origin.set_charset(name); !known.ok()) {
      check.fault("charset.port.", known.error().message());
    }
  }
}

// The other ports are listened on all the same.
std::vector<Claim> MultiportSyslogConfig::claims() const {
  std::vector<Claim> all;
  for (const std::uint16_t port : port_numbers()) {
    for (Claim& claim : claim_port("TCP", host, port)) {
      claim.key = "ports";
      claim.severity = Severity::kWarning;
      all.push_back(std::move(claim));
    }
  }
  return all;
}

std::vector<std::uint16_t> MultiportSyslogConfig::port_numbers() const {
  std::vector<std::uint16_t> numbers;
  for (const std::string& text : ports) {
    if (const auto port = port_number(text)) {
      numbers.push_back(*port);
    }
  }
  return numbers;
}

MultiportSyslogSource::MultiportSyslogSource(Config config, SourceContext context)
    : config_(std::move(config)), context_(std::move(context)) {}

MultiportSyslogSource::~MultiportSyslogSource() {
  stop(SteadyTime{});
}

Result<> MultiportSyslogSource::start() {
  SyslogServerOptions options = TRY(config_.server_options());
  options.dialect.rules = SyslogDialect::Rules::kPosition;
  options.batch_size = config_.batch_size;
  options.port_header = config_.port_header;
  options.charset = config_.charset;
  for (const auto& [port, charset] : config_.port_charsets) {
    options.port_charsets[port_number(port).value_or(0)] = charset;
  }
  server_ = std::make_unique<SyslogServer>(std::move(options), context_);
  retry_ = std::make_shared<Retry>(Retry{this});
  server_->start();
  context_.services.loop.run_and_wait([this] { listen(config_.port_numbers(), true); });
  return {};
}

// Opens the ports, and comes again for those that failed.
void MultiportSyslogSource::listen(const std::vector<std::uint16_t>& ports, bool first) {
  std::vector<std::uint16_t> failed;
  std::string trouble;
  for (const std::uint16_t port : ports) {
    const Result<> result = server_->listen(port);
    if (!result.ok()) {
      failed.push_back(port);
      trouble += (trouble.empty() ? "" : "; ") + result.error().message();
      if (first) {
        log_error("source " + context_.name, "port {} is left out until it can be opened: {}", port,
                  result.error().message());
      }
    } else if (!first) {
      log_info("source " + context_.name, "port {} is open now", port);
    }
  }
  {
    const std::lock_guard lock(trouble_mutex_);
    trouble_ = std::move(trouble);
  }
  if (!failed.empty()) {
    const std::weak_ptr<Retry> retry = retry_;
    context_.services.loop.post_after(kPortRetry, [retry, failed = std::move(failed)] {
      const auto found = retry.lock();
      if (found && found->source != nullptr) {
        found->source->listen(failed, false);
      }
    });
  }
}

void MultiportSyslogSource::stop(SteadyTime deadline) {
  if (!server_) {
    return;
  }
  context_.services.loop.run_and_wait([this] { retry_->source = nullptr; });
  server_->stop(deadline);
  server_.reset();
}

Result<> MultiportSyslogSource::health() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_.empty() ? Result<>() : transient(trouble_);
}

std::vector<std::uint16_t> MultiportSyslogSource::ports() const {
  std::vector<std::uint16_t> ports;
  context_.services.loop.run_and_wait([&] { ports = server_->ports(); });
  return ports;
}

const RegisterSource<MultiportSyslogSource> entry{
    "multiport_syslogtcp", "org.apache.flume.source.MultiportSyslogTCPSource",
    "Receives syslog messages over TCP, one a line, on any number of ports."};

}  // namespace millrace
