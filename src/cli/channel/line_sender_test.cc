#include "cli/channel/line_sender.h"

#include <gtest/gtest.h>

#include "cli/hammer/test_peer.h"

namespace millrace {
namespace {

LineSender sender_to(const TestPeer& peer, const LineSender::Options& options) {
  return LineSender::connect("127.0.0.1", std::to_string(peer.port()), options).value();
}

const LineSender::Options kQuick{.window = 7,
                                 .patience = std::chrono::seconds(1),
                                 .first_pause = std::chrono::milliseconds(1),
                                 .last_pause = std::chrono::milliseconds(2)};

TEST(LineSenderTest, CountsWhatIsAnswered) {
  TestPeer peer([](auto) { return "OK\n"; });
  LineSender sender = sender_to(peer, kQuick);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(sender.send("line " + std::to_string(i)).ok());
    EXPECT_GE(sender.answered() + kQuick.window, static_cast<std::uint64_t>(i));
  }
  ASSERT_TRUE(sender.finish().ok());
  EXPECT_EQ(sender.answered(), 100U);
  EXPECT_EQ(peer.lines().size(), 100U);
  EXPECT_EQ(peer.lines().back(), "line 99");
}

TEST(LineSenderTest, WhatIsRefusedGoesOutAgain) {
  std::atomic<int> seen{0};
  TestPeer peer([&](auto) { return ++seen % 3 == 0 ? "FAILED: the channel is full\n" : "OK\n"; });
  LineSender sender = sender_to(peer, kQuick);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(sender.send(std::to_string(i)).ok());
  }
  ASSERT_TRUE(sender.finish().ok());
  EXPECT_EQ(sender.answered(), 20U);
  EXPECT_GT(sender.refused(), 0U);
  EXPECT_EQ(peer.lines().size(), 20 + sender.refused());
}

TEST(LineSenderTest, SaysWhyItCannotGoOn) {
  TestPeer closing([](auto) { return std::string(TestPeer::kHangUp); });
  LineSender first = sender_to(closing, kQuick);
  ASSERT_TRUE(first.send("x").ok());
  EXPECT_EQ(first.finish().error().message(), "the peer closed the connection");
  TestPeer silent([](auto) { return ""; });
  LineSender second = sender_to(silent, kQuick);
  ASSERT_TRUE(second.send("x").ok());
  EXPECT_NE(second.finish().error().message().find("ack-every-event"), std::string::npos);
  TestPeer strict([](auto) { return "FAILED: Event exceeds the maximum length\n"; });
  LineSender third = sender_to(strict, kQuick);
  ASSERT_TRUE(third.send("x").ok());
  EXPECT_EQ(third.finish().error().fault(), Fault::kRejected);
  EXPECT_FALSE(LineSender::connect("127.0.0.1", "1", kQuick).ok());
}

}  // namespace
}  // namespace millrace
