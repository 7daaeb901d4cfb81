#include "io/tcp_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "io/tcp_limits.h"
#include "io/tcp_test_client.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Collects what every connection sends; answers with `answer` for each read.
class Collector final : public TcpHandler {
 public:
  void on_open(TcpConnection& connection) override {
    ++opened;
    const std::lock_guard lock(mutex_);
    peers_.push_back(connection.peer().address);
    latest_ = connection.shared_from_this();
  }
  void on_readable(TcpConnection& connection) override {
    const ReadOutcome outcome = connection.read(space_);
    if (outcome.status == ReadStatus::kBytes) {
      const std::lock_guard lock(mutex_);
      text_.append(space_, outcome.bytes);
      if (!answer.empty()) {
        connection.write(answer);
      }
    } else if (outcome.status == ReadStatus::kEnd) {
      ++ends;
      connection.finish();
    } else if (outcome.status == ReadStatus::kError) {
      ++errors;
      connection.close();
    }
  }
  void on_drained(TcpConnection&) override { ++drained; }
  void on_closed(TcpConnection&) override { ++closed; }

  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return text_.size();
  }
  std::vector<std::string> peers() {
    const std::lock_guard lock(mutex_);
    return peers_;
  }
  std::shared_ptr<TcpConnection> latest() {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

  std::string answer{};
  std::atomic<int> opened{0};
  std::atomic<int> ends{0};
  std::atomic<int> errors{0};
  std::atomic<int> drained{0};
  std::atomic<int> closed{0};

 private:
  std::mutex mutex_;  // Guards the rest.
  std::string text_;
  std::vector<std::string> peers_;
  std::shared_ptr<TcpConnection> latest_;
  char space_[64 * 1024];
};

class TcpServerTest : public testing::Test {
 protected:
  std::unique_ptr<TcpServer> listen(std::string host = "127.0.0.1", std::uint16_t port = 0) {
    auto server = TcpServer::listen(
        loop_, {.component = "test", .host = std::move(host), .port = port}, collector_);
    EXPECT_TRUE(server.ok()) << server.error().message();
    return server.ok() ? std::move(server).value() : nullptr;
  }

  // Waits for it; null when none comes.
  std::shared_ptr<TcpConnection> first_connection() {
    return wait_until([&] { return collector_.opened == 1; }) ? collector_.latest() : nullptr;
  }

  EventLoop loop_{"test"};
  Collector collector_;
};

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

// Goal: a paused connection is not read, and nothing of it is lost. Method: far more bytes than the
// kernel's buffers hold are sent while it is paused.
TEST_F(TcpServerTest, PausedConnectionsPushBack) {
  const auto server = listen();
  TestClient client(server->port());
  const auto connection = first_connection();
  ASSERT_TRUE(connection);
  loop_.run_and_wait([&] { connection->pause_reading(); });
  const std::string bytes(32 << 20, 'x');
  std::atomic<bool> sent{false};
  std::jthread sender([&] {
    client.send(bytes);
    sent = true;
  });
  loop_.run_and_wait([] {});
  EXPECT_LE(collector_.size(), 64U * 1024);
  EXPECT_FALSE(sent);
  loop_.run_and_wait([&] { connection->resume_reading(); });
  EXPECT_TRUE(wait_until([&] { return collector_.size() == bytes.size(); }));
}

// Goal: answers to a peer that does not read are bounded by a flag, and all arrive once it reads.
TEST_F(TcpServerTest, SaysWhenThePeerDoesNotRead) {
  const auto server = listen();
  TestClient client(server->port());
  const auto connection = first_connection();
  ASSERT_TRUE(connection);
  std::size_t written = 0;
  loop_.run_and_wait([&] {
    const std::string part(64 * 1024, 'y');
    bool more = true;
    while (more) {
      more = connection->write(part);
      written += part.size();
    }
    EXPECT_GT(connection->unsent(), TcpConnection::kWriteLimit);
  });
  EXPECT_EQ(collector_.drained, 0);
  EXPECT_EQ(client.receive(written).size(), written);
  EXPECT_TRUE(wait_until([&] { return collector_.drained == 1; }));
}

// Goal: finish() delivers the last answer although the peer has sent more than was read.
TEST_F(TcpServerTest, FinishDeliversTheLastAnswer) {
  const auto server = listen();
  TestClient client(server->port());
  const auto connection = first_connection();
  ASSERT_TRUE(connection);
  loop_.run_and_wait([&] { connection->pause_reading(); });
  client.send(std::string(100'000, 'z'));
  loop_.run_and_wait([&] {
    connection->write("bye\n");
    connection->finish();
  });
  EXPECT_EQ(client.receive_all(), "bye\n");
  client.close();
  EXPECT_TRUE(wait_until([&] { return server->open_connections() == 0; }));
  EXPECT_EQ(collector_.size(), 0U);
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
