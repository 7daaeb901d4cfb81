#include "source/spooldir/spooldir_config.h"

#include <strings.h>

#include "config/charset.h"
#include "config/java_regex/java_regex.h"

namespace millrace {
namespace {

void check_pattern(std::string_view key, const std::string& pattern, ConfigCheck& check) {
  if (const auto compiled = JavaRegex::compile(pattern); !compiled.ok()) {
    check.fault(key, compiled.error().message());
  }
}

void check_charset(std::string_view key, const std::string& charset, ConfigCheck& check) {
  if (!is_utf8(charset) && ::strcasecmp(charset.c_str(), "US-ASCII") != 0) {
    check.fault(key, "only UTF-8 is built in yet; convert the files before they are moved in");
  }
}

}  // namespace

void SpooldirConfig::check(ConfigCheck& check) const {
  check_pattern("includePattern", include, check);
  check_pattern("ignorePattern", ignore, check);
  check_charset("inputCharset", input_charset, check);
  check_charset("deserializer.outputCharset", output_charset, check);
  if (suffix.empty()) {
    check.fault("fileSuffix", "every name ends in an empty suffix: no file would be read");
  }
  if (::strcasecmp(deserializer.c_str(), "LINE") != 0 &&
      deserializer != "org.apache.flume.serialization.LineDeserializer$Builder") {
    check.fault("deserializer", "only LINE is built in yet");
  }
}

}  // namespace millrace
