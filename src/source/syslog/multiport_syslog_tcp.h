// The source `multiport_syslogtcp`: syslog over TCP on any number of ports.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/source.h"
#include "source/syslog/syslog_config.h"

namespace millrace {

struct MultiportSyslogConfig : SyslogConfig {
  std::vector<std::string> ports;
  std::uint32_t batch_size = 100;
  std::string port_header;
  std::string charset = "UTF-8";
  std::map<std::string, std::string> port_charsets;
  std::uint32_t num_processors = 0;
  std::uint32_t read_buffer_bytes = 1024;

  static constexpr auto fields() {
    using C = MultiportSyslogConfig;
    return std::tuple_cat(
        std::tuple{
            field("ports", &C::ports, "Ports to listen on.").required().example("10001 10002"),
            field("batchSize", &C::batch_size, "Most events of one put.").range(1, 1'000'000),
            field("portHeader", &C::port_header, "Name of a header that gets the port's number.")
                .example("port"),
            field("charset.default", &C::charset,
                  "Encoding of what clients send. UTF-8 is taken as it is."),
            field("charset.port.", &C::port_charsets, "Encoding on the port that the key names."),
            field("numProcessors", &C::num_processors, "Threads that read.")
                .ignored("all ports of a source are read by one event loop"),
            field("readBufferBytes", &C::read_buffer_bytes, "Size of a read.")
                .ignored("reads take all that a connection holds"),
        },
        SyslogConfig::fields());
  }
  void check(ConfigCheck& check) const;
  std::vector<Claim> claims() const;
  std::size_t events_per_transaction() const { return batch_size; }
  std::vector<std::uint16_t> port_numbers() const;  // Without those that are none.
};

// Durable, repeats, losses, threads: see SyslogServer. A port that cannot be opened is tried again
// every 3 s while the others work.
class MultiportSyslogSource final : public Source {
 public:
  using Config = MultiportSyslogConfig;
  MultiportSyslogSource(Config config, SourceContext context);
  ~MultiportSyslogSource() override;
  Result<> start() override;
  void stop(SteadyTime deadline) override;
  Result<> health() const override;  // Names the ports that are not open.

  std::vector<std::uint16_t> ports() const;  // Where it listens.

 private:
  struct Retry;
  void listen(const std::vector<std::uint16_t>& ports, bool first);

  const Config config_;
  SourceContext context_;
  std::unique_ptr<SyslogServer> server_;
  std::shared_ptr<Retry> retry_;
  mutable std::mutex trouble_mutex_;  // Guards trouble_.
  std::string trouble_;
};

}  // namespace millrace
