#include "io/udp_receiver.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "io/tcp_test_client.h"
#include "io/udp_test_client.h"

namespace millrace {
namespace {

// Keeps what comes; takes nothing while it is closed.
class Keeper final : public UdpHandler {
 public:
  bool wants_datagrams() override { return open_; }
  void on_datagrams(std::span<const Datagram> datagrams) override {
    const std::lock_guard lock(mutex_);
    for (const Datagram& datagram : datagrams) {
      kept_.emplace_back(datagram.bytes);
      peers_.push_back(address_of(*datagram.peer).port);
    }
  }

  void set_open(bool open) { open_ = open; }
  std::vector<std::string> kept() {
    const std::lock_guard lock(mutex_);
    return kept_;
  }
  std::vector<std::uint16_t> peers() {
    const std::lock_guard lock(mutex_);
    return peers_;
  }

 private:
  std::atomic<bool> open_ = true;
  std::mutex mutex_;  // Guards what follows.
  std::vector<std::string> kept_;
  std::vector<std::uint16_t> peers_;
};

class UdpReceiverTest : public testing::Test {
 protected:
  std::unique_ptr<UdpReceiver> open(std::size_t buffer = 0, std::uint16_t port = 0) {
    auto receiver = UdpReceiver::open(loop_, {"source r1", "127.0.0.1", port, buffer}, keeper_);
    EXPECT_TRUE(receiver.ok());
    loop_.run_and_wait([&] { receiver.value()->resume(); });
    return std::move(receiver).value();
  }

  Keeper keeper_;
  EventLoop loop_{"test"};
};

TEST_F(UdpReceiverTest, GivesEachDatagramWholeWithItsSender) {
  const auto receiver = open();
  UdpTestClient client(receiver->port());
  const std::string large(65'507, 'x');
  client.send("one\nline");
  client.send("");
  client.send(large);
  ASSERT_TRUE(wait_until([&] { return keeper_.kept().size() == 3; }));
  EXPECT_EQ(keeper_.kept(), (std::vector<std::string>{"one\nline", "", large}));
  EXPECT_EQ(keeper_.peers(), std::vector<std::uint16_t>(3, client.port()));
}

TEST_F(UdpReceiverTest, KeepsTheOrderOfMoreThanOneReadTakes) {
  const auto receiver = open(std::size_t{4} << 20);
  UdpTestClient client(receiver->port());
  std::vector<std::string> sent;
  keeper_.set_open(false);
  for (std::size_t i = 0; i < UdpReceiver::kMostAtOnce * 2 + 1; ++i) {
    client.send(sent.emplace_back(std::to_string(i)));
  }
  keeper_.set_open(true);
  loop_.run_and_wait([&] { receiver->resume(); });
  ASSERT_TRUE(wait_until([&] { return keeper_.kept().size() == sent.size(); }));
  EXPECT_EQ(keeper_.kept(), sent);
  EXPECT_EQ(receiver->dropped(), 0U);
}

TEST_F(UdpReceiverTest, CountsWhatTheKernelThrewAway) {
  const auto receiver = open(4096);
  keeper_.set_open(false);
  UdpTestClient client(receiver->port());
  constexpr std::size_t kSent = 1000;
  for (std::size_t i = 0; i < kSent; ++i) {
    client.send(std::string(500, 'x'));
  }
  EXPECT_GT(receiver->dropped(), kSent / 2);
  keeper_.set_open(true);
  loop_.run_and_wait([&] { receiver->resume(); });
  EXPECT_TRUE(wait_until([&] { return keeper_.kept().size() + receiver->dropped() == kSent; }));
}

TEST_F(UdpReceiverTest, DrainsWhatTheKernelHolds) {
  const auto receiver = open(std::size_t{1} << 20);
  UdpTestClient client(receiver->port());
  for (int i = 0; i < 100; ++i) {
    client.send("x");
  }
  EXPECT_TRUE(receiver->drain(std::chrono::steady_clock::now() + kTestPatience));
  loop_.run_and_wait([] {});
  EXPECT_EQ(keeper_.kept().size(), 100U);
  keeper_.set_open(false);
  client.send("x");
  EXPECT_FALSE(receiver->drain(std::chrono::steady_clock::now()));
}

TEST_F(UdpReceiverTest, SaysWhichPortIsInUse) {
  const auto first = open();
  const auto second =
      UdpReceiver::open(loop_, {"source r1", "127.0.0.1", first->port(), 0}, keeper_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().fault(), Fault::kTransient);
  EXPECT_NE(second.error().message().find("in use"), std::string::npos);
}

}  // namespace
}  // namespace millrace
