#include "source/tls_server_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "io/tls_test_kit.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ServerConfig : TlsServerConfig {
  static constexpr auto fields() { return std::tuple_cat(TlsServerConfig::fields(), std::tuple{}); }
  void check(ConfigCheck& check) const { check_tls(check); }
};

class TlsServerConfigTest : public testing::Test {
 public:
  ~TlsServerConfigTest() override { set_tls_system_properties({}); }

 protected:
  using Keys = std::vector<std::pair<std::string_view, std::string_view>>;
  std::optional<ServerConfig> bound(const Keys& keys) {
    std::vector<Property> entries;
    for (const auto& [key, value] : keys) {
      entries.push_back({std::string(key), std::string(value), {}, 0, std::string(key)});
    }
    return bind<ServerConfig>(PropertySection("", std::move(entries)), diagnostics_,
                              common_source_keys());
  }

  TestKeystore keystore_;
  Diagnostics diagnostics_;
};

TEST_F(TlsServerConfigTest, IsPlainTextUnlessAsked) {
  const auto config = bound({{"keystore", "/nowhere.jks"}});
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->tls_context().value(), nullptr);
}

TEST_F(TlsServerConfigTest, ReadsThePemFileWhateverTheTypeSays) {
  const std::string pem = keystore_.pem();
  const auto config = bound({{"ssl", "true"},
                             {"keystore", pem},
                             {"keystore-password", "unused"},
                             {"keystore-type", "JKS"},
                             {"exclude-protocols", "SSLv3 TLSv1.3"}});
  ASSERT_TRUE(config.has_value()) << diagnostics_.to_string();
  EXPECT_NE(config->tls_context().value(), nullptr);
  EXPECT_THAT(config->settings().exclude_protocols, ElementsAre("SSLv3", "TLSv1.3"));
}

TEST_F(TlsServerConfigTest, SaysWhatIsWrongWithTheKeystore) {
  EXPECT_FALSE(bound({{"ssl", "true"}}).has_value());
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("needs a keystore"));
  const std::string jks = keystore_.file("a.jks", "\xFE\xED\xFE\xED and so on");
  EXPECT_FALSE(bound({{"ssl", "true"}, {"keystore", jks}}).has_value());
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("keytool"));
}

// The system property counts before the environment variable, the source's own key before both.
TEST_F(TlsServerConfigTest, TakesTheProcesssDefaults) {
  ASSERT_EQ(::setenv("FLUME_SSL_KEYSTORE_PATH", "/from/environment.pem", 1), 0);
  ASSERT_EQ(::setenv("FLUME_SSL_EXCLUDE_CIPHERSUITES", "A,B", 1), 0);
  EXPECT_EQ(ServerConfig{}.settings().keystore, "/from/environment.pem");
  EXPECT_THAT(ServerConfig{}.settings().exclude_cipher_suites, ElementsAre("A", "B"));
  set_tls_system_properties({{"javax.net.ssl.keyStore", "/from/property.pem"},
                             {"flume.ssl.include.protocols", "TLSv1.2,TLSv1.3"}});
  EXPECT_EQ(ServerConfig{}.settings().keystore, "/from/property.pem");
  EXPECT_THAT(ServerConfig{}.settings().include_protocols, ElementsAre("TLSv1.2", "TLSv1.3"));
  ServerConfig own;
  own.keystore = "/own.pem";
  own.include_protocols = {"TLSv1.2"};
  EXPECT_EQ(own.settings().keystore, "/own.pem");
  EXPECT_THAT(own.settings().include_protocols, ElementsAre("TLSv1.2"));
  EXPECT_THAT(own.settings().exclude_protocols, IsEmpty());
  ::unsetenv("FLUME_SSL_KEYSTORE_PATH");
  ::unsetenv("FLUME_SSL_EXCLUDE_CIPHERSUITES");
}

}  // namespace
}  // namespace millrace
