// Goal: a call has one answer, whatever becomes of the connection it is made on. Method: a server
// on loopback that answers late, out of order, torn, or not at all.
#include "client/hdfs/rpc_client.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <condition_variable>
#include <future>
#include <memory>
#include <set>
#include <vector>

#include "client/hdfs/fake_rpc_server.h"
#include "io/tcp_test_client.h"

namespace millrace::hdfs {
namespace {

using namespace std::chrono_literals;

RpcOptions quick() {
  RpcOptions options;
  options.connect_timeout = 5s;
  options.connect_retries = 200;
  options.retry_interval = 5ms;
  options.call_timeout = 20s;
  return options;
}

std::unique_ptr<RpcClient> client_of(std::uint16_t port, RpcOptions options = quick()) {
  return std::make_unique<RpcClient>(RpcTarget{"127.0.0.1", port, "alice"}, options);
}

void echo(const ServedCall& call, RpcPeer& peer) {
  peer.answer(call.id, call.method + call.request);
}

TEST(RpcClientTest, TellsTheServerWhoAsksWhat) {
  FakeRpcServer server(echo);
  const auto client = client_of(server.port());
  EXPECT_EQ(client->call("mkdirs", "-bytes").value(), "mkdirs-bytes");
  EXPECT_EQ(server.user(), "alice");
  ASSERT_EQ(server.calls().size(), 1U);
  EXPECT_EQ(server.calls()[0].client_id.size(), 16U);
  EXPECT_EQ(server.calls()[0].retry, 0);
}

TEST(RpcClientTest, GivesEachOfManyCallsItsOwnAnswerOutOfOrder) {
  std::mutex mutex;
  std::vector<ServedCall> held;
  FakeRpcServer server([&](const ServedCall& call, RpcPeer& peer) {
    const std::lock_guard lock(mutex);
    held.push_back(call);
    if (held.size() < 8) {
      return;
    }
    for (auto at = held.rbegin(); at != held.rend(); ++at) {
      echo(*at, peer);
    }
    held.clear();
  });
  const auto client = client_of(server.port());
  std::vector<std::future<Result<std::string>>> answers;
  for (int i = 0; i < 8; ++i) {
    answers.push_back(
        std::async(std::launch::async, [&, i] { return client->call("call", std::to_string(i)); }));
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(answers[static_cast<std::size_t>(i)].get().value(), "call" + std::to_string(i));
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(RpcClientTest, AsksAgainWithTheSameIdsWhenTheConnectionEnds) {
  FakeRpcServer server([](const ServedCall& call, RpcPeer& peer) {
    if (call.connection < 2) {
      return peer.hang_up();
    }
    echo(call, peer);
  });
  const auto client = client_of(server.port());
  EXPECT_EQ(client->call("create", "x").value(), "createx");
  const auto calls = server.calls();
  ASSERT_EQ(calls.size(), 3U);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].id, calls[0].id);
    EXPECT_EQ(calls[i].client_id, calls[0].client_id);
    EXPECT_EQ(calls[i].retry, static_cast<std::int32_t>(i));
  }
  EXPECT_NE(client->call("create", "y").ok(), false);
  EXPECT_NE(server.calls().back().id, calls[0].id);
}

TEST(RpcClientTest, WaitsForAServerThatStarts) {
  std::uint16_t port = 0;
  { port = FakeRpcServer(echo).port(); }
  const auto client = client_of(port);
  auto answer = std::async(std::launch::async, [&] { return client->call("mkdirs", ""); });
  FakeRpcServer server(echo, port);
  EXPECT_EQ(answer.get().value(), "mkdirs");
}

TEST(RpcClientTest, GivesUpConnectingAfterTheTriesItHas) {
  std::uint16_t port = 0;
  { port = FakeRpcServer(echo).port(); }
  RpcOptions options = quick();
  options.connect_retries = 2;
  const auto answer = client_of(port, options)->call("mkdirs", "");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault(), Fault::kTransient);
  EXPECT_EQ(answer.error().error_number(), ECONNREFUSED);
}

TEST(RpcClientTest, AsksAgainWhileTheServerIsNotReady) {
  FakeRpcServer server([](const ServedCall& call, RpcPeer& peer) {
    if (call.retry < 3) {
      return peer.fault(call.id, "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
                        "Cannot create directory /a. Name node is in safe mode.\n\tat x");
    }
    echo(call, peer);
  });
  EXPECT_EQ(client_of(server.port())->call("mkdirs", "").value(), "mkdirs");
}

TEST(RpcClientTest, EndsACallAtItsTimeOut) {
  FakeRpcServer server([](const ServedCall& call, RpcPeer& peer) {
    if (call.method != "hang") {
      echo(call, peer);
    }
  });
  RpcOptions options = quick();
  options.call_timeout = 200ms;
  const auto client = client_of(server.port(), options);
  const auto answer = client->call("hang", "");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().error_number(), ETIMEDOUT);
  EXPECT_EQ(client->call("list", "").value(), "list");  // On the same connection.
  EXPECT_EQ(server.connections(), 1);
}

TEST(RpcClientTest, DropsAnAnswerThatComesTooLate) {
  std::int32_t late = -1;
  FakeRpcServer server([&](const ServedCall& call, RpcPeer& peer) {
    if (call.method == "late") {
      late = call.id;
      return;
    }
    peer.answer(late, "too late");
    echo(call, peer);
  });
  RpcOptions options = quick();
  options.call_timeout = 300ms;
  const auto client = client_of(server.port(), options);
  EXPECT_FALSE(client->call("late", "").ok());
  EXPECT_EQ(client->call("now", "").value(), "now");
}

TEST(RpcClientTest, PingsWhileItWaits) {
  std::promise<std::pair<ServedCall, RpcPeer*>> came;
  FakeRpcServer server([&](const ServedCall& call, RpcPeer& peer) {
    came.set_value({call, &peer});
  });
  RpcOptions options = quick();
  options.ping_interval = 10ms;
  const auto client = client_of(server.port(), options);
  auto answer = std::async(std::launch::async, [&] { return client->call("slow", ""); });
  const auto [call, peer] = came.get_future().get();
  EXPECT_TRUE(wait_until([&] { return server.pings() >= 3; }));
  echo(call, *peer);
  EXPECT_EQ(answer.get().value(), "slow");
}

TEST(RpcClientTest, EndsWaitingCallsWhenItIsClosed) {
  std::promise<void> came;
  FakeRpcServer server([&](const ServedCall&, RpcPeer&) { came.set_value(); });
  const auto client = client_of(server.port());
  auto answer = std::async(std::launch::async, [&] { return client->call("hang", ""); });
  came.get_future().wait();
  client->close();
  EXPECT_EQ(answer.get().error().fault(), Fault::kClosed);
  EXPECT_EQ(client->call("mkdirs", "").error().fault(), Fault::kClosed);
}

TEST(RpcClientTest, SaysThatASecureClusterIsNotForUs) {
  FakeRpcServer server([](const ServedCall&, RpcPeer& peer) {
    peer.fatal(15, "org.apache.hadoop.security.AccessControlException",
               "SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]");
  });
  const auto answer = client_of(server.port())->call("mkdirs", "");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault(), Fault::kConfig);
  EXPECT_NE(answer.error().message().find("secure"), std::string::npos);
}

struct BadAnswer {
  const char* name;
  std::string bytes;
};

class RpcClientBadAnswerTest : public ::testing::TestWithParam<BadAnswer> {};

// The connection is given up, and the call made again on the next one.
TEST_P(RpcClientBadAnswerTest, DoesNotTrustTheConnectionAnyMore) {
  FakeRpcServer server([](const ServedCall& call, RpcPeer& peer) {
    if (call.connection == 0) {
      peer.send_raw(GetParam().bytes);
      return peer.hang_up();
    }
    echo(call, peer);
  });
  EXPECT_EQ(client_of(server.port())->call("mkdirs", "").value(), "mkdirs");
  EXPECT_EQ(server.connections(), 2);
}

INSTANTIATE_TEST_SUITE_P(
    All, RpcClientBadAnswerTest,
    ::testing::Values(BadAnswer{"TornLength", std::string("\0\0", 2)},
                      BadAnswer{"TornFrame", std::string("\0\0\0\x20", 4) + "abc"},
                      BadAnswer{"TooLong", std::string("\x7f\xff\xff\xff", 4)},
                      BadAnswer{"Empty", std::string("\0\0\0\0", 4)},
                      BadAnswer{"HeaderBeyondTheFrame", std::string("\0\0\0\x02\x7f\x01", 6)},
                      BadAnswer{"NoHeader", std::string("\0\0\0\x03\x02\xff\xff", 7)},
                      BadAnswer{"WebPage", "HTTP/1.1 400 Bad Request\r\n"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace millrace::hdfs
