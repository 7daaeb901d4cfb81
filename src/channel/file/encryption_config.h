// The file channel's keys for encryption at rest: Flume's names, and two providers of our own.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "config/fields.h"

namespace millrace {

struct EncryptionConfig {
  static constexpr std::string_view kNoKey = "NONE";  // As the active one.
  static constexpr std::size_t kLongestKeyName = 255;

  std::string active_key;
  std::string cipher_provider = "AESGCM";
  std::string key_provider;
  std::vector<std::string> keys;
  std::map<std::string, std::string> of_keys;  // By "<key>.file", "<key>.passwordFile".
  std::string command;
  std::string key_store_file;
  std::string key_store_password_file;
  std::map<std::string, std::string> everything;  // So that a misspelt key is found.

  static constexpr auto fields() {
    using C = EncryptionConfig;
    constexpr std::string_view kOfJceks = "Of Flume's provider JCEKSFILE, which is refused.";
    return std::tuple{
        field("encryption.activeKey", &C::active_key,
              "Name of the key that new segments are encrypted with; NONE writes them in clear "
              "text and only reads with the keys.")
            .example("key-1"),
        field("encryption.cipherProvider", &C::cipher_provider,
              "Both mean AES-GCM, with 128 or 256 bits as the key has. The first is Flume's name.")
            .choices({"AESCTRNOPADDING", "AESGCM"}),
        field("encryption.keyProvider", &C::key_provider,
              "Where keys come from: a file for each, or a command that prints them. Flume's "
              "JCEKSFILE is refused; the user guide tells how to take a key out of it.")
            .choices({"FILE", "EXTERNAL", "JCEKSFILE"}),
        field("encryption.keyProvider.keys", &C::keys,
              "Names of the keys that segments may be read with, with blanks between them; the "
              "active one has to be among them.")
            .example("key-0 key-1"),
        field("encryption.keyProvider.keys.", &C::of_keys,
              "For FILE: `<key>.file`, the file of that key, 16 or 32 bytes as they are, in "
              "hexadecimal digits or in base64.")
            .example("encryption.keyProvider.keys.key-1.file = /etc/millrace/key-1"),
        field("encryption.keyProvider.command", &C::command,
              "For EXTERNAL: a command that prints the key whose name it gets as one more "
              "argument. It is split at blanks and runs without a shell.")
            .example("/usr/local/bin/get-key"),
        field("encryption.keyProvider.keyStoreFile", &C::key_store_file, kOfJceks),
        field("encryption.keyProvider.keyStorePasswordFile", &C::key_store_password_file, kOfJceks),
        field("encryption.", &C::everything,
              "Any other key is an error: a misspelt one never leaves events in clear text."),
    };
  }
  void check(ConfigCheck& check) const;

  bool is_set() const { return !everything.empty(); }
  bool encrypts() const { return !active_key.empty() && active_key != kNoKey; }
  // The file of a key with the provider FILE; empty when none is given.
  std::string file_of(const std::string& key) const;

 private:
  void check_active_key(ConfigCheck& check) const;
  void check_keys(ConfigCheck& check) const;
  bool is_listed(std::string_view key) const;
};

}  // namespace millrace
