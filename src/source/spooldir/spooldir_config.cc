#include "source/spooldir/spooldir_config.h"

#include <strings.h>

#include "config/charset.h"
#include "config/java_regex/java_regex.h"
#include "core/component_choice.h"
#include "deserializer/charset_text.h"

namespace millrace {
namespace {

void check_pattern(std::string_view key, const std::string& pattern, ConfigCheck& check) {
  if (const auto compiled = JavaRegex::compile(pattern); !compiled.ok()) {
    check.fault(key, compiled.error().message());
  }
}

void check_charset(std::string_view key, const std::string& charset, ConfigCheck& check) {
  if (is_utf8(charset)) {
    return;
  }
  if (const auto text = CharsetText::make(charset, {}); !text.ok()) {
    check.fault(key, text.error().message());
  }
}

}  // namespace

void SpooldirConfig::check(ConfigCheck& check) const {
  check_pattern("includePattern", include, check);
  check_pattern("ignorePattern", ignore, check);
  check_charset("inputCharset", input_charset, check);
  if (suffix.empty()) {
    check.fault("fileSuffix", "every name ends in an empty suffix: no file would be read");
  } else if (suffix.find('/') != std::string::npos) {
    check.fault("fileSuffix", "is no end of a name: a slash leads into another folder");
  }
  ComponentChoice<DeserializerRegistry>::check("deserializer", deserializer, keys_of_deserializer(),
                                               check);
}

// As Flume, for LINE alone.
PropertySection SpooldirConfig::keys_of_deserializer() const {
  PropertySection keys = deserializer_keys;
  if (old_longest_line > 0 && ::strcasecmp(deserializer.c_str(), "LINE") == 0) {
    keys.set({"maxLineLength", std::to_string(old_longest_line), "", 0,
              keys.prefix() + "maxLineLength"});
  }
  return keys;
}

DecodeErrors SpooldirConfig::decode_error_policy() const {
  if (decode_errors == "FAIL") {
    return DecodeErrors::kFail;
  }
  return decode_errors == "REPLACE" ? DecodeErrors::kReplace : DecodeErrors::kIgnore;
}

}  // namespace millrace
