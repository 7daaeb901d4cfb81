// The source `netcatudp`: a line of text a datagram (Flume 1.11, class NetcatUdpSource).
#pragma once

#include <string>
#include <tuple>

#include "source/datagram_source.h"

namespace millrace {

struct NetcatUdpConfig : DatagramConfig {
  std::string bind;
  std::string remote_address;

  static constexpr auto fields() {
    using C = NetcatUdpConfig;
    return std::tuple_cat(
        std::tuple{
            field("bind", &C::bind,
                  "Address or host name to listen on; every address when it is not given.")
                .example("0.0.0.0"),
            field("remoteAddress", &C::remote_address,
                  "Name of a header that gets the sender's address and port, as "
                  "/192.0.2.7:50123.")
                .example("sender"),
        },
        DatagramConfig::fields());
  }
  std::vector<Claim> claims() const { return claim_port("UDP", bind, port); }
};

// The bytes before the first newline are the body; an empty datagram is an event too.
// Durable, repeats, losses, threads: see DatagramSource.
class NetcatUdpSource final : public DatagramSource {
 public:
  using Config = NetcatUdpConfig;
  NetcatUdpSource(Config config, SourceContext context);

 private:
  void add(EventBatch::Builder& builder, std::string_view text,
           const sockaddr_storage& peer) override;
  bool takes_empty() const override { return true; }

  const Config config_;
};

}  // namespace millrace
