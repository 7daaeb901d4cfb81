// The keys of the netcat source.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "config/fields.h"
#include "core/claim.h"

namespace millrace {

struct NetcatConfig {
  std::string bind;
  std::uint16_t port = 0;
  std::uint32_t max_line_length = 512;
  bool ack_every_event = true;
  std::string encoding = "utf-8";

  static constexpr auto fields() {
    using C = NetcatConfig;
    return std::tuple{
        field("bind", &C::bind, "Address or host name to listen on.").required().example("0.0.0.0"),
        field("port", &C::port, "Port to listen on.").required().range(0, 65'535),
        field("max-line-length", &C::max_line_length,
              "Characters of a line, newline included; a longer one is refused and the connection "
              "closed.")
            .range(1, 1 << 24),
        field("ack-every-event", &C::ack_every_event, "Whether each stored line is answered OK."),
        field("encoding", &C::encoding, "Encoding of the lines and of the answers.")
            .example("UTF-16BE"),
    };
  }
  void check(ConfigCheck& check) const;
  std::vector<Claim> claims() const { return claim_port("TCP", bind, port); }
};

}  // namespace millrace
