// The source `syslogtcp`: syslog over TCP on one port.
#pragma once

#include <memory>

#include "core/source.h"
#include "source/syslog/syslog_config.h"

namespace millrace {

struct SyslogTcpConfig : SyslogConfig, SyslogFormatConfig {
  std::uint16_t port = 0;

  static constexpr auto fields() {
    using C = SyslogTcpConfig;
    return std::tuple_cat(
        std::tuple{field("port", &C::port, "Port to listen on.").required().range(0, 65'535)},
        SyslogFormatConfig::fields(), SyslogConfig::fields());
  }
  void check(ConfigCheck& check) const;
  std::vector<Claim> claims() const { return claim_port("TCP", host, port); }
};

// Durable, repeats, losses, threads: see SyslogServer. start() says kTransient when the port is in
// use.
class SyslogTcpSource final : public Source {
 public:
  using Config = SyslogTcpConfig;
  // Puts end at the loop's turn, so this many events come together at most.
  static constexpr std::size_t kMostEventsOfPut = 1000;

  SyslogTcpSource(Config config, SourceContext context);
  ~SyslogTcpSource() override;
  Result<> start() override;
  void stop(SteadyTime deadline) override;

  std::uint16_t port() const;  // Where it listens; for tests that ask for port 0.

 private:
  const Config config_;
  SourceContext context_;
  std::unique_ptr<SyslogServer> server_;
};

}  // namespace millrace
