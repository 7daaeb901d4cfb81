#include "io/tcp_server.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <vector>

#include "io/open_file_limit.h"
#include "io/tcp_limits.h"
#include "io/tcp_server_fixture.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class TcpServerTest : public TcpServerFixture {};

TEST_F(TcpServerTest, ReadsAndAnswers) {
  collector_.answer = "OK\n";
  const auto server = listen();
  TestClient client(server->port());
  client.send("hello\n");
  EXPECT_EQ(client.receive(3), "OK\n");
  EXPECT_EQ(collector_.text(), "hello\n");
  EXPECT_EQ(collector_.peers(), std::vector<std::string>{"127.0.0.1"});
  EXPECT_EQ(server->open_connections(), 1U);
  client.half_close();
  EXPECT_EQ(client.receive_all(), "");
  EXPECT_TRUE(wait_until([&] { return server->open_connections() == 0; }));
  EXPECT_EQ(collector_.closed, 1);
}

TEST_F(TcpServerTest, ListensOnEveryAddressAndOnNames) {
  const auto everywhere = listen("");
  TestClient client(everywhere->port());
  EXPECT_TRUE(wait_until([&] { return collector_.opened == 1; }));
  const auto named = listen("localhost");
  EXPECT_NE(named->port(), 0);
}

TEST_F(TcpServerTest, APortInUseIsTransientAndNamed) {
  const auto first = listen();
  const auto second = TcpServer::listen(
      loop_, {.component = "test", .host = "127.0.0.1", .port = first->port()}, collector_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().fault(), Fault::kTransient);
  EXPECT_THAT(second.error().message(), HasSubstr("127.0.0.1:" + std::to_string(first->port())));
  EXPECT_THAT(second.error().message(), HasSubstr("in use"));
}

TEST_F(TcpServerTest, ThePortIsFreeAgainAtOnce) {
  auto first = listen();
  const std::uint16_t port = first->port();
  TestClient client(port);
  EXPECT_TRUE(wait_until([&] { return collector_.opened == 1; }));
  first.reset();
  EXPECT_EQ(collector_.closed, 1);
  EXPECT_NE(listen("127.0.0.1", port), nullptr);
}

TEST_F(TcpServerTest, CountsResets) {
  const auto server = listen();
  TestClient client(server->port());
  client.send("x");
  ASSERT_TRUE(wait_until([&] { return collector_.size() == 1; }));
  const std::uint64_t before = tcp_counters().resets.value();
  client.reset();
  EXPECT_TRUE(wait_until([&] { return collector_.closed == 1; }));
  EXPECT_EQ(collector_.errors, 1);
  EXPECT_EQ(tcp_counters().resets.value(), before + 1);
}

// Goal: an orderly stop loses nothing that clients have handed to the kernel, those in the queue of
// connections not yet accepted included.
TEST_F(TcpServerTest, DrainReadsWhatTheSocketsHold) {
  const auto server = listen();
  constexpr int kClients = 50;
  std::vector<std::unique_ptr<TestClient>> clients;
  loop_.post([] { std::this_thread::sleep_for(50ms); });  // The loop is busy while they come.
  for (int i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<TestClient>(server->port()));
    clients.back()->send(std::string(10'000, 'd'));
    clients.back()->close();
  }
  EXPECT_TRUE(server->drain(std::chrono::steady_clock::now() + kTestPatience));
  EXPECT_EQ(collector_.size(), kClients * 10'000U);
}

TEST_F(TcpServerTest, DrainEndsAtTheDeadline) {
  const auto server = listen();
  TestClient client(server->port());
  const auto connection = first_connection();
  ASSERT_TRUE(connection);
  loop_.run_and_wait([&] { connection->pause_reading(); });
  client.send("stuck");
  EXPECT_FALSE(server->drain(std::chrono::steady_clock::now() + 30ms));
}

// Goal: connections leave descriptors to the rest of the process.
// Method: a limit of which only an eighth is free.
TEST_F(TcpServerTest, LeavesDescriptorsToOthers) {
  const auto server = listen();
  TestClient first(server->port());
  ASSERT_TRUE(wait_until([&] { return collector_.opened == 1; }));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  std::vector<Descriptor> taken(40);
  for (Descriptor& each : taken) {
    each = Descriptor(::socket(AF_INET, SOCK_STREAM, 0));
  }
  // The second client takes one; an eighth of the limit is more than what is free then.
  const auto used = static_cast<rlim_t>(taken.back().get()) + 2;
  const rlimit tight{used * 8 / 7, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  const std::uint64_t failures = tcp_counters().accept_failures.value();
  TestClient second(server->port());
  EXPECT_TRUE(wait_until([&] { return tcp_counters().accept_failures.value() >= failures + 2; }));
  EXPECT_EQ(collector_.opened, 1);
  EXPECT_TRUE(Descriptor(::socket(AF_INET, SOCK_STREAM, 0)));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(wait_until([&] { return collector_.opened == 2; }));
}

// Goal: without descriptors accepting waits, says so once, does not spin, and goes on afterwards.
TEST_F(TcpServerTest, WaitsForDescriptors) {
  const auto server = listen();
  TestClient first(server->port());
  ASSERT_TRUE(wait_until([&] { return collector_.opened == 1; }));
  Descriptor spare(::socket(AF_INET, SOCK_STREAM, 0));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const std::uint64_t failures = tcp_counters().accept_failures.value();
  {
    // The client's socket takes the last descriptor that the limit allows.
    TestClient second = [&] {
      const auto next = static_cast<rlim_t>(spare.get());
      spare = Descriptor();
      const rlimit tight{next + 1, before.rlim_max};
      EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
      return TestClient(server->port());
    }();
    EXPECT_TRUE(wait_until([&] { return tcp_counters().accept_failures.value() >= failures + 2; }));
    EXPECT_EQ(collector_.opened, 1);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_TRUE(wait_until([&] { return collector_.opened == 2; }));
  }
}

// Goal: a thousand connections at once, each byte of each arrives.
TEST_F(TcpServerTest, ServesAThousandConnections) {
  ASSERT_TRUE(raise_open_file_limit().ok());
  const auto server = listen();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(std::make_unique<TestClient>(server->port()));
  }
  for (const auto& client : clients) {
    client->send(std::string(3000, 'k'));
  }
  EXPECT_TRUE(wait_until([&] { return collector_.size() == 3'000'000; }));
  EXPECT_EQ(server->open_connections(), 1000U);
}

}  // namespace
}  // namespace millrace
