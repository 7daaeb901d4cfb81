#include "source/netcat/netcat_config.h"

#include "config/charset.h"

namespace millrace {

void NetcatConfig::check(ConfigCheck& check) const {
  const auto converter = TextConverter::make(encoding, "UTF-8");
  if (!is_utf8(encoding) && !converter.ok()) {
    check.fault("encoding", converter.error().message());
  }
}

}  // namespace millrace
