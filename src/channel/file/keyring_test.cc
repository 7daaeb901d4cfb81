#include "channel/file/keyring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

using testing::HasSubstr;

std::string text_of(const SecretBytes& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

TEST(KeyTextTest, IsBytesHexOrBase64) {
  const std::string raw = "0123456789abcdeX";
  EXPECT_EQ(text_of(parse_key(raw).value()), raw);
  EXPECT_EQ(text_of(parse_key("30313233343536373839616263646558\n").value()), raw);
  EXPECT_EQ(text_of(parse_key("MDEyMzQ1Njc4OWFiY2RlWA==\r\n").value()), raw);
  EXPECT_EQ(parse_key("00112233445566778899aABBCCDDEEFF").value().size(), 16U);  // Not 32 letters.
  EXPECT_EQ(parse_key(std::string(64, '0')).value().size(), 32U);
  std::string ends_a_line(32, 'x');
  ends_a_line.back() = '\n';
  EXPECT_EQ(text_of(parse_key(ends_a_line).value()), ends_a_line);
  EXPECT_EQ(text_of(parse_key("MDEyMzQ1Njc4OWFiY2RlWDAxMjM0NTY3ODlhYmNkZVg=").value()), raw + raw);
}

TEST(KeyTextTest, NothingElseIsAKey) {
  for (const std::string text : {"", "\n", "secret", "MDEyMzQ1Njc4OWFiY2RlW?==", "0011223344556677",
                                 "MDEyMzQ1Njc4OWFiY2Rl"}) {
    const Result<SecretBytes> key = parse_key(text);
    ASSERT_FALSE(key.ok()) << text;
    EXPECT_EQ(key.error().fault(), Fault::kConfig);
    EXPECT_TRUE(text.size() < 2 || key.error().message().find(text) == std::string::npos);
  }
}

class KeyringTest : public testing::Test {
 protected:
  KeyringTest() {
    config_.key_provider = "FILE";
    config_.keys = {"old", "new"};
    config_.of_keys = {{"old.file", "/keys/old"}, {"new.file", "/keys/new"}};
    config_.active_key = "new";
    files_.put("/keys/old", std::string(16, 'o'));
    files_.put("/keys/new", std::string(32, 'n'));
  }
  Result<Keyring> read() { return read_keys(files_, "channel c1", config_); }
  std::string trouble() {
    const Result<Keyring> keys = read();
    EXPECT_FALSE(keys.ok());
    return keys.ok() ? "" : keys.error().message();
  }

  FakeFileSystem files_;
  EncryptionConfig config_;
};

TEST_F(KeyringTest, MakesANewKeyForEachGenerationAndFindsItAgain) {
  const Keyring keys = read().value();
  const SegmentKeyPtr first = keys.make();
  const SegmentKeyPtr second = keys.make();
  EXPECT_NE(first->header().salt, second->header().salt);
  EXPECT_NE(text_of(first->bytes()), text_of(second->bytes()));
  EXPECT_EQ(first->bytes().size(), 32U);
  const SegmentHeader segment{.order = 1};
  SealHeader header = first->header();
  header.check = first->check_of(segment);
  EXPECT_EQ(text_of(keys.find(segment, header)->bytes()), text_of(first->bytes()));
}

TEST_F(KeyringTest, WithoutAnActiveKeySegmentsStayInClearText) {
  config_.active_key = "NONE";
  EXPECT_EQ(read().value().make(), nullptr);
}

TEST_F(KeyringTest, TellsAMissingKeyFromAWrongOne) {
  const SegmentKeyPtr made = read().value().make();
  const SegmentHeader segment{.order = 1};
  SealHeader header = made->header();
  header.check = made->check_of(segment);
  files_.put("/keys/new", std::string(32, 'N'));
  const SegmentKeyPtr wrong = read().value().find(segment, header);
  ASSERT_FALSE(wrong->is_there());
  EXPECT_THAT(wrong->missing()->message(), HasSubstr("another"));
  config_.keys = {"old"};
  config_.active_key = "old";
  const SegmentKeyPtr missing = read().value().find(segment, header);
  ASSERT_FALSE(missing->is_there());
  EXPECT_THAT(missing->missing()->message(), HasSubstr("\"new\""));
  EXPECT_THAT(missing->missing()->message(), HasSubstr("encryption.keyProvider.keys"));
}

TEST_F(KeyringTest, NamesTheKeyThatCannotBeRead) {
  files_.put("/keys/old", "not a key");
  EXPECT_THAT(trouble(), HasSubstr("key \"old\": 9 bytes are no key"));
  config_.of_keys["old.file"] = "/keys/gone";
  EXPECT_THAT(trouble(), HasSubstr("key \"old\": "));
  EXPECT_THAT(trouble(), HasSubstr("/keys/gone"));
  EXPECT_EQ(read().error().fault(), Fault::kConfig);
}

TEST_F(KeyringTest, ACommandPrintsTheKeyThatItsLastArgumentNames) {
  config_.key_provider = "EXTERNAL";
  config_.keys = {"6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b"};
  config_.active_key = config_.keys[0];
  config_.command = " /bin/echo  -n ";
  const SegmentKeyPtr key = read().value().make();
  EXPECT_EQ(key->bytes().size(), 16U);
  config_.command = "/bin/false";
  EXPECT_THAT(trouble(), HasSubstr("\"/bin/false\" exited with status 1"));
  EXPECT_EQ(read().error().fault(), Fault::kTransient);
}

}  // namespace
}  // namespace millrace::file_channel
