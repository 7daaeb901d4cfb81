#include "source/syslog/syslog_origin.h"

#include "base/bytes.h"
#include "io/sockets.h"

namespace millrace {

void SyslogOrigin::add_header(std::string_view name, std::string_view value) {
  if (header_count < 63 - kMostMessageHeaders) {
    append_avro_bytes(header_pairs, name);
    append_avro_bytes(header_pairs, value);
    ++header_count;
  }
}

void SyslogOrigin::add_client(const std::string& address_header, const std::string& hostname_header,
                              const std::string& address) {
  if (!address_header.empty()) {
    add_header(address_header, address);
  }
  if (!hostname_header.empty()) {
    add_header(hostname_header, hostname_of(address));
  }
}

Result<> SyslogOrigin::set_charset(const std::string& charset) {
  to_utf8 = from_utf8 = nullptr;
  if (!is_utf8(charset)) {
    to_utf8 = std::make_shared<TextConverter>(TRY(TextConverter::make(charset, "UTF-8")));
    from_utf8 = std::make_shared<TextConverter>(TRY(TextConverter::make("UTF-8", charset)));
  }
  return {};
}

}  // namespace millrace
