// What the syslog messages of one connection have in common.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/charset.h"

namespace millrace {

// Where lines come from: what all events of one connection have in common.
struct SyslogOrigin {
  static constexpr int kMostMessageHeaders = 7;  // That a message can have of its own.

  std::string header_pairs{};  // In Avro encoding, behind the message's own.
  int header_count = 0;
  std::shared_ptr<TextConverter> to_utf8{};  // Null: the bytes are taken as they are.
  std::shared_ptr<TextConverter> from_utf8{};

  void add_header(std::string_view name, std::string_view value);
  // Headers of these names for the client's address and host name; empty: not added. Looks the
  // name up, once for an address.
  void add_client(const std::string& address_header, const std::string& hostname_header,
                  const std::string& address);
  // kConfig for an unknown charset. UTF-8 is taken as it is.
  Result<> set_charset(const std::string& charset);
};

}  // namespace millrace
