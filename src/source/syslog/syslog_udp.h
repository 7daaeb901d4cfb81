// The source `syslogudp`: a syslog message a datagram (Flume 1.11, class SyslogUDPSource).
#pragma once

#include <string>
#include <tuple>

#include "source/datagram_source.h"
#include "source/syslog/syslog_config.h"
#include "source/syslog/syslog_indexer.h"

namespace millrace {

struct SyslogUdpConfig : DatagramConfig, SyslogMessageConfig, SyslogFormatConfig {
  std::string host;

  static constexpr auto fields() {
    using C = SyslogUdpConfig;
    return std::tuple_cat(
        std::tuple{field("host", &C::host,
                         "Address or host name to listen on; every address when it is not given.")},
        DatagramConfig::fields(), SyslogFormatConfig::fields(), SyslogMessageConfig::fields());
  }
  void check(ConfigCheck& check) const {
    check_message(check);
    check_format(check);
  }
  std::vector<Claim> claims() const { return claim_port("UDP", host, port); }
};

// Durable, repeats, losses, threads: see DatagramSource. A datagram without text is none.
class SyslogUdpSource final : public DatagramSource {
 public:
  using Config = SyslogUdpConfig;
  SyslogUdpSource(Config config, SourceContext context);

 private:
  void add(EventBatch::Builder& builder, std::string_view text,
           const sockaddr_storage& peer) override;
  void begin_read() override;
  void begin_batch() override { indexer_.start_batch(); }
  bool takes_empty() const override { return false; }
  bool names_clients() const;

  const Config config_;
  Counter& invalid_events_;
  SyslogIndexer indexer_;
  SyslogOrigin origin_;
  std::string client_;  // Whose origin_ is.
  std::int64_t now_ms_ = 0;
};

}  // namespace millrace
