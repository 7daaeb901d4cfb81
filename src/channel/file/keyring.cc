#include "channel/file/keyring.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cctype>

#include "base/log.h"
#include "io/command_output.h"

namespace millrace::file_channel {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kMostKeyText = 1024;
constexpr std::uint32_t kOthers = 077;  // Permissions of group and others.

bool is_key_size(std::size_t bytes) {
  return bytes == 16 || bytes == 32;
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c); });
}

SecretBytes from_hex(std::string_view text) {
  SecretBytes key(text.size() / 2);
  const auto digit = [](char c) {
    return static_cast<unsigned char>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  };
  for (std::size_t i = 0; i < key.size(); ++i) {
    key.data()[i] = static_cast<unsigned char>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  }
  return key;
}

// 16 or 32 bytes in base64 are 24 or 44 letters with "==" or "=" at their end. Empty when it is
// none.
SecretBytes from_base64(std::string_view text) {
  const std::size_t padding = text.size() == 24 ? 2 : 1;
  const bool fits = (text.size() == 24 || text.size() == 44) &&
                    text.substr(text.size() - padding) == std::string_view("==").substr(0, padding);
  SecretBytes decoded(text.size());
  if (!fits ||
      ::EVP_DecodeBlock(decoded.data(), reinterpret_cast<const unsigned char*>(text.data()),
                        static_cast<int>(text.size())) < 0) {
    return {};
  }
  return SecretBytes(std::string_view(reinterpret_cast<const char*>(decoded.data()),
                                      text.size() / 4 * 3 - padding));
}

Result<std::string> text_of_key(FileSystem& files, const std::string& channel,
                                const EncryptionConfig& config, const std::string& name) {
  if (config.key_provider == "EXTERNAL") {
    std::vector<std::string> arguments = split_words(config.command);
    arguments.push_back(name);
    return command_output(arguments, kPatience, kMostKeyText);
  }
  const std::filesystem::path path = config.file_of(name);
  Result<std::string> text = read_file(files, path);
  if (!text.ok()) {
    return bad_config(text.error().message());
  }
  Result<FileStatus> status = files.status(path);
  if (status.ok() && (status->permissions & kOthers) != 0) {
    log_warning(channel, "{} holds a key, and others than its owner have access: chmod 600",
                path.string());
  }
  return text;
}

}  // namespace

void Keyring::add(const std::string& name, SecretBytes key) {
  keys_[name] = std::move(key);
}

SegmentKeyPtr Keyring::make() const {
  return active_.empty() ? nullptr : SegmentKey::make(keys_.at(active_), active_);
}

SegmentKeyPtr Keyring::find(const SegmentHeader& segment, const SealHeader& header) const {
  const std::string name = header.name();
  const auto found = keys_.find(name);
  if (found == keys_.end()) {
    return std::make_shared<const SegmentKey>(
        header,
        bad_config("the key \"" + name + "\", which encryption.keyProvider.keys does not list"));
  }
  auto key = std::make_shared<const SegmentKey>(found->second, header);
  if (key->check_of(segment) != header.check) {
    return std::make_shared<const SegmentKey>(
        header, bad_config("a key \"" + name +
                           "\" that is another than the one given now, or its header was changed"));
  }
  return key;
}

Result<SecretBytes> parse_key(std::string_view text) {
  std::string_view digits = text;
  while (digits.ends_with('\n') || digits.ends_with('\r')) {
    digits.remove_suffix(1);
  }
  if (is_key_size(digits.size() / 2) && digits.size() % 2 == 0 && is_hex(digits)) {
    return from_hex(digits);
  }
  SecretBytes decoded = from_base64(digits);
  if (decoded.size() > 0) {
    return decoded;
  }
  if (is_key_size(text.size()) && !is_hex(text)) {  // Digits of half a key are a mistake.
    return SecretBytes(text);
  }
  return bad_config(std::to_string(text.size()) +
                    " bytes are no key: 16 or 32 bytes are wanted, as they are, in hexadecimal "
                    "digits or in base64");
}

Result<Keyring> read_keys(FileSystem& files, const std::string& channel,
                          const EncryptionConfig& config) {
  Keyring keyring;
  for (const std::string& name : config.keys) {
    const std::string what = "key \"" + name + "\"";
    std::string text = TRY(text_of_key(files, channel, config, name).with(what));
    Result<SecretBytes> key = parse_key(text).with(what);
    wipe(text);
    keyring.add(name, TRY(std::move(key)));
  }
  if (config.encrypts()) {
    keyring.use(config.active_key);
  }
  return keyring;
}

}  // namespace millrace::file_channel
