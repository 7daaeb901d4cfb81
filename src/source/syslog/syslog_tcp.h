// The source `syslogtcp`: syslog over TCP on one port.
#pragma once

#include <memory>

#include "core/source.h"
#include "source/syslog/syslog_config.h"

namespace millrace {

struct SyslogTcpConfig : SyslogConfig {
  std::uint16_t port = 0;
  std::string format_regex;
  std::string format_search;
  std::string format_replace;
  std::string format_date;

  static constexpr auto fields() {
    using C = SyslogTcpConfig;
    return std::tuple_cat(
        std::tuple{
            field("port", &C::port, "Port to listen on.").required().range(0, 65'535),
            field("format.regex", &C::format_regex,
                  "A message format that is tried before the built-in ones; its groups are "
                  "priority, version, time, host, message.")
                .example(R"(<(\d+)>(\d?) ?(\S+) (\S+) (.*))"),
            field("format.search", &C::format_search,
                  "Regular expression whose matches in the time are replaced before it is read."),
            field("format.replace", &C::format_replace, "What replaces them."),
            field("format.dateFormat", &C::format_date,
                  "Pattern of the time, as Java's SimpleDateFormat has it.")
                .example("yyyy-MM-dd HH:mm:ss"),
        },
        SyslogConfig::fields());
  }
  void check(ConfigCheck& check) const;
  // Nothing when no format of its own is given.
  Result<std::optional<CustomFormat>> custom_format() const;
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
