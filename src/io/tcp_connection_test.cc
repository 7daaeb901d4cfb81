#include "io/tcp_connection.h"

#include <atomic>
#include <thread>

#include "io/tcp_server_fixture.h"

namespace millrace {
namespace {

class TcpConnectionTest : public TcpServerFixture {};

// Goal: a paused connection is not read, and nothing of it is lost. Method: far more bytes than the
// kernel's buffers hold are sent while it is paused.
TEST_F(TcpConnectionTest, PausedConnectionsPushBack) {
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
TEST_F(TcpConnectionTest, SaysWhenThePeerDoesNotRead) {
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
TEST_F(TcpConnectionTest, FinishDeliversTheLastAnswer) {
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

}  // namespace
}  // namespace millrace
