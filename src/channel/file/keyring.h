// The named keys of a channel that encrypts, and where they come from.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/aead.h"
#include "channel/file/encryption_config.h"
#include "channel/file/sealing.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// Read once, when the channel opens. Threads: any, once it is filled.
class Keyring {
 public:
  void add(const std::string& name, SecretBytes key);
  // The key for new segments; none without.
  void use(const std::string& name) { active_ = name; }

  // For a segment that is written anew; null when it stays in clear text.
  SegmentKeyPtr make() const;
  // For a segment that was found. Not there when its named key is not, or is another than the one
  // that it was written with.
  SegmentKeyPtr find(const SegmentHeader& segment, const SealHeader& header) const;

 private:
  std::map<std::string, SecretBytes> keys_;
  std::string active_;
};

// A key as a file or a command gives it: 16 or 32 bytes, as they are, in hexadecimal digits or in
// base64; line ends behind digits mean nothing. kConfig for anything else.
Result<SecretBytes> parse_key(std::string_view text);

// All keys of the configuration, from their files or by the command. kConfig, naming the key, for a
// file that cannot be read or holds no key; kTransient when the command fails. `channel` is for the
// log.
Result<Keyring> read_keys(FileSystem& files, const std::string& channel,
                          const EncryptionConfig& config);

}  // namespace millrace::file_channel
