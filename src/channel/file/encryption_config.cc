#include "channel/file/encryption_config.h"

#include <algorithm>

#include "config/nearest_name.h"

namespace millrace {
namespace {

constexpr std::string_view kPrefix = "encryption.";
constexpr std::string_view kKeysPrefix = "encryption.keyProvider.keys.";

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> known;
  std::apply([&](const auto&... each) { (known.push_back(each.marks.key), ...); },
             EncryptionConfig::fields());
  known.pop_back();  // The prefix that takes everything.
  return known;
}

bool is_known(const std::string& key, const std::vector<std::string_view>& known) {
  return std::find(known.begin(), known.end(), key) != known.end() ||
         (key.starts_with(kKeysPrefix) &&
          (key.ends_with(".file") || key.ends_with(".passwordFile")));
}

}  // namespace

std::string EncryptionConfig::file_of(const std::string& key) const {
  const auto found = of_keys.find(key + ".file");
  return found != of_keys.end() ? found->second : std::string();
}

bool EncryptionConfig::is_listed(std::string_view key) const {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Whoever asks for encryption in any way gets it, or a fault.
void EncryptionConfig::check(ConfigCheck& check) const {
  if (!is_set()) {
    return;
  }
  const std::vector<std::string_view> known = known_keys();
  for (const auto& [key, value] : everything) {
    const std::string whole = std::string(kPrefix) + key;
    if (!is_known(whole, known)) {
      const std::string meant = did_you_mean(nearest_name(whole, known));
      check.fault(whole, "is not a key of encryption" + (meant.empty() ? "" : "; " + meant));
    }
  }
  if (key_provider.empty()) {
    check.fault("encryption.keyProvider",
                "is missing, and encryption needs it: FILE, or EXTERNAL for a command");
  } else if (key_provider == "JCEKSFILE") {
    const std::string key = keys.empty() ? "key-0" : keys.front();
    check.fault("encryption.keyProvider",
                "a Java keystore is not read here: take the key out with `java ExportKey.java` as "
                "docs/user/encryption.md shows, then set encryption.keyProvider = FILE and " +
                    std::string(kKeysPrefix) + key + ".file");
    return;  // The rest follows from it.
  }
  check_active_key(check);
  check_keys(check);
}

void EncryptionConfig::check_active_key(ConfigCheck& check) const {
  constexpr std::string_view kKey = "encryption.activeKey";
  if (active_key.empty()) {
    check.fault(kKey,
                "is missing, and encryption needs it: the name of a key, or NONE to write new "
                "segments in clear text");
  } else if (active_key != kNoKey && !is_listed(active_key)) {
    check.fault(kKey, "is not listed in encryption.keyProvider.keys");
  }
}

void EncryptionConfig::check_keys(ConfigCheck& check) const {
  for (const std::string& key : keys) {
    if (key.size() > kLongestKeyName || key == kNoKey) {
      check.fault("encryption.keyProvider.keys",
                  "a key may be named by up to 255 bytes, and not NONE");
    }
    if (key_provider == "FILE" && file_of(key).empty()) {
      check.fault(std::string(kKeysPrefix) + key + ".file",
                  "is missing: the file that holds this key");
    }
  }
  if (keys.empty()) {
    check.fault("encryption.keyProvider.keys", "is missing: the names of the keys");
  }
  for (const auto& [key, value] : of_keys) {
    if (!is_listed(key.substr(0, key.rfind('.')))) {
      check.warn(std::string(kKeysPrefix) + key,
                 "has no effect: encryption.keyProvider.keys does not list this key");
    }
  }
  if (key_provider == "EXTERNAL" && trim(command).empty()) {
    check.fault("encryption.keyProvider.command", "is missing: the command that prints a key");
  }
}

}  // namespace millrace
