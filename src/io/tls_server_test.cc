// TLS on both sides of a real socket, and the choice of keys, protocols and suites.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "io/tcp_limits.h"
#include "io/tcp_server.h"
#include "io/tls_context.h"
#include "io/tls_keystore.h"
#include "io/tls_test_kit.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Sends back what it reads, until the end.
class Echo final : public TcpHandler {
 public:
  void on_open(TcpConnection&) override { ++opened; }
  void on_readable(TcpConnection& connection) override {
    const ReadOutcome outcome = connection.read(space_);
    if (outcome.status == ReadStatus::kBytes) {
      received += outcome.bytes;
      connection.write({space_, outcome.bytes});
    } else if (outcome.status != ReadStatus::kWouldBlock) {
      ++ends;
      connection.finish();
    }
  }
  void on_closed(TcpConnection&) override { ++closed; }
  std::atomic<int> opened{0};
  std::atomic<int> ends{0};
  std::atomic<int> closed{0};
  std::atomic<std::size_t> received{0};

 private:
  char space_[40'000];
};

class TlsServerTest : public testing::Test {
 protected:
  std::unique_ptr<TcpServer> listen(TlsServerSettings settings = {},
                                    std::chrono::milliseconds handshake = 10s) {
    settings.keystore = settings.keystore.empty() ? keystore_.pem() : settings.keystore;
    auto context = TlsContext::make(settings);
    EXPECT_TRUE(context.ok()) << context.error().message();
    auto server = TcpServer::listen(loop_,
                                    {.component = "test",
                                     .host = "127.0.0.1",
                                     .tls = context.value(),
                                     .handshake_timeout = handshake},
                                    echo_);
    EXPECT_TRUE(server.ok());
    return std::move(server).value();
  }
  Error error_of(TlsServerSettings settings) {
    settings.keystore = settings.keystore.empty() ? keystore_.pem() : settings.keystore;
    const auto context = TlsContext::make(settings);
    return context.ok() ? Error(Fault::kClosed, "no error") : context.error();
  }

  TestKeystore keystore_;
  EventLoop loop_{"test"};
  Echo echo_;
};

// Goal: many records in both directions, larger than a read, arrive whole and in order.
TEST_F(TlsServerTest, CarriesBytesBothWays) {
  const auto server = listen();
  TlsTestClient client(server->port());
  ASSERT_TRUE(client.connected());
  EXPECT_EQ(client.version(), "TLSv1.3");
  std::string sent;
  for (int i = 0; i < 200'000; ++i) {
    sent += std::to_string(i) + '\n';
  }
  for (std::size_t at = 0; at < sent.size(); at += 100'000) {
    const std::string part = sent.substr(at, 100'000);
    client.send(part);
    ASSERT_EQ(client.receive(part.size()), part);
  }
  client.close_notify();
  EXPECT_TRUE(wait_until([&] { return echo_.closed == 1; }));
  EXPECT_EQ(echo_.ends, 1);
  EXPECT_EQ(echo_.received, sent.size());
}

// Goal: an end without close_notify, as many clients do it, still gives all bytes, then an end.
TEST_F(TlsServerTest, TakesAnAbruptEndAsAnEnd) {
  const auto server = listen();
  TlsTestClient client(server->port());
  client.send("last words");
  client.socket().half_close();
  EXPECT_TRUE(wait_until([&] { return echo_.closed == 1; }));
  EXPECT_EQ(echo_.received, 10U);
}

TEST_F(TlsServerTest, CountsAndClosesPlainTextClients) {
  const auto server = listen();
  const std::uint64_t before = tcp_counters().tls_failures.value();
  TestClient client(server->port());
  client.send("<13>Nov 30 08:00:00 host hello, no TLS here\n");
  client.receive_all();
  EXPECT_TRUE(wait_until([&] { return server->open_connections() == 0; }));
  EXPECT_EQ(tcp_counters().tls_failures.value(), before + 1);
  EXPECT_EQ(echo_.opened, 0);
}

TEST_F(TlsServerTest, EndsSilentHandshakes) {
  const auto server = listen({}, 30ms);
  TestClient client(server->port());
  EXPECT_EQ(client.receive_all(), "");
  EXPECT_TRUE(wait_until([&] { return server->open_connections() == 0; }));
}

TEST_F(TlsServerTest, RefusesOldProtocols) {
  const auto server = listen();
  EXPECT_FALSE(TlsTestClient(server->port(), TLS1_VERSION, TLS1_1_VERSION).connected());
  TlsTestClient second(server->port(), TLS1_2_VERSION, TLS1_2_VERSION);
  EXPECT_TRUE(second.connected());
}

TEST_F(TlsServerTest, ChoosesProtocolsAndSuitesByJavaNames) {
  TlsServerSettings settings;
  settings.include_protocols = {"TLSv1", "TLSv1.2"};
  settings.include_cipher_suites = {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"};
  settings.exclude_cipher_suites = {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"};
  const auto server = listen(settings);
  TlsTestClient client(server->port());
  ASSERT_TRUE(client.connected());
  EXPECT_EQ(client.version(), "TLSv1.2");
  EXPECT_EQ(client.suite(), "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
  EXPECT_FALSE(TlsTestClient(server->port(), TLS1_3_VERSION).connected());
}

TEST_F(TlsServerTest, SaysWhenNothingIsLeft) {
  TlsServerSettings settings;
  settings.include_protocols = {"TLSv1.1"};
  EXPECT_EQ(error_of(settings).fault(), Fault::kConfig);
  EXPECT_THAT(error_of(settings).message(), HasSubstr("include-protocols"));
  settings = {};
  settings.include_cipher_suites = {"TLS_NO_SUCH_SUITE"};
  EXPECT_EQ(error_of(settings).fault(), Fault::kConfig);
  EXPECT_THAT(error_of(settings).message(), HasSubstr("include-cipher-suites"));
}

TEST_F(TlsServerTest, ReadsAnEncryptedKey) {
  const TestKeystore locked("changeit");
  TlsServerSettings settings;
  settings.keystore = locked.pem();
  EXPECT_THAT(error_of(settings).message(), HasSubstr("private key"));
  settings.keystore_password = "changeit";
  EXPECT_TRUE(TlsContext::make(settings).ok());
}

// Goal: Java's keystores are named for what they are, with the commands that make them readable.
TEST_F(TlsServerTest, RefusesJavaKeystoresWithAWayOut) {
  TlsServerSettings settings;
  settings.keystore = keystore_.file("a.jks", std::string_view("\xFE\xED\xFE\xED\0\0\0\2", 8));
  EXPECT_EQ(error_of(settings).fault(), Fault::kConfig);
  EXPECT_THAT(error_of(settings).message(), HasSubstr("keytool -importkeystore"));
  settings.keystore = keystore_.file("a.p12", std::string_view("\x30\x82\x0a\x0b", 4));
  EXPECT_THAT(error_of(settings).message(), HasSubstr("openssl pkcs12"));
  settings.keystore = keystore_.file("a.txt", "hello");
  EXPECT_THAT(error_of(settings).message(), HasSubstr("BEGIN"));
  settings.keystore = "/nowhere/keystore.pem";
  EXPECT_THAT(error_of(settings).message(), HasSubstr("No such file"));
  settings.keystore = "/";
  EXPECT_EQ(error_of(settings).fault(), Fault::kConfig);
}

}  // namespace
}  // namespace millrace
