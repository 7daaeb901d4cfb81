#include "source/netcat/netcat_udp.h"

#include <utility>

#include "core/registry.h"
#include "io/sockets.h"

namespace millrace {
namespace {

// As Java's InetSocketAddress prints one without a name.
std::string java_text(const PeerAddress& address) {
  const bool is_ip6 = address.address.find(':') != std::string::npos;
  return (is_ip6 ? "/[" + address.address + "]" : "/" + address.address) + ":" +
         std::to_string(address.port);
}

}  // namespace

NetcatUdpSource::NetcatUdpSource(Config config, SourceContext context)
    : DatagramSource(config, config.bind, std::move(context)), config_(std::move(config)) {}

void NetcatUdpSource::add(EventBatch::Builder& builder, std::string_view text,
                          const sockaddr_storage& peer) {
  if (config_.remote_address.empty()) {
    builder.add(text);
    return;
  }
  const std::string sender = java_text(address_of(peer));
  HeaderEditor headers;
  headers.set(config_.remote_address, sender);
  builder.add(text, builder.store_headers(headers));
}

const RegisterSource<NetcatUdpSource> entry{"netcatudp", "org.apache.flume.source.NetcatUdpSource",
                                            "Receives lines over UDP, one a datagram."};

}  // namespace millrace
