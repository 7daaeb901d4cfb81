// What tests of encrypted file channels share: two keys, and a channel that is told of them.
#pragma once

#include <string>

#include "channel/file/file_channel_fixture.h"
#include "channel/file/sealing.h"

namespace millrace {

constexpr const char* kFirstSegment = "/data/segment-000001.wal";
constexpr const char* kCheckpoint = "/check/channel.checkpoint";

class FileChannelEncryptionTest : public FileChannelTest {
 protected:
  FileChannelEncryptionTest() {
    kit.files.put("/keys/k1", std::string(16, 'x'));
    kit.files.put("/keys/k2", std::string(32, 'y'));
  }
  // The channel's keys with `active` for new segments, and all of `listed` to read with.
  static Keys with_keys(const std::string& active, const std::string& listed = "k1 k2") {
    Keys keys{{"encryption.activeKey", active},
              {"encryption.cipherProvider", "AESCTRNOPADDING"},
              {"encryption.keyProvider", "FILE"},
              {"encryption.keyProvider.keys", listed}};
    for (const char* name : {"k1", "k2"}) {
      if (listed.find(name) != std::string::npos) {
        keys[std::string("encryption.keyProvider.keys.") + name + ".file"] =
            std::string("/keys/") + name;
      }
    }
    return keys;
  }
  void put_all(const Bodies& bodies) { ASSERT_TRUE(put(kit.slabs.batch_of_bodies(bodies)).ok()); }
  Result<> start(const Keys& keys) {
    make(keys);
    return channel->start();
  }
  // Without the checkpoint acknowledgements are read back too.
  void forget_checkpoint() { kit.files.put(kCheckpoint, ""); }
  bool is_encrypted(const std::string& path) const {
    const std::string block = kit.files.text(path).substr(0, file_channel::kBlock);
    return file_channel::decode_segment_header(block).value()->version ==
           file_channel::kSealedVersion;
  }
};

}  // namespace millrace
