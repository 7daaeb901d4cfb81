// Goal: no file that is taken for Hadoop's configuration crashes or hangs the client. Method: the
// bytes are read as core-site.xml, and every property is asked for.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "client/hdfs/configuration.h"
#include "client/hdfs/options.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::hdfs;
  const auto properties =
      parse_site_xml({reinterpret_cast<const char*>(data), size}, "core-site.xml");
  if (!properties.ok()) {
    CHECK(!properties.error().message().empty());
    return 0;
  }
  Configuration configuration(
      [](const std::string& name) { return std::optional<std::string>(name + "${b}"); });
  configuration.add(*properties);
  for (const SiteProperty& property : *properties) {
    const auto value = configuration.get(property.name);
    CHECK(!value.ok() || value.value().has_value());
  }
  const auto options = read_options(configuration);
  CHECK(options.ok() || !options.error().message().empty());
  return 0;
}
