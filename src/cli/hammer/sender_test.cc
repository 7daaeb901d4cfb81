#include "cli/hammer/sender.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/hammer/event_text.h"
#include "cli/hammer/plan.h"
#include "cli/hammer/test_peer.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

HammerOptions options_for(const TestPeer& peer, const std::string& protocol) {
  HammerOptions options;
  options.port = peer.port();
  options.protocol = protocol;
  options.size = 120;
  options.run = "test";
  options.give_up = 20;
  return options;
}

// Runs to the end; the sender, whose flows can then be asked.
std::unique_ptr<Sender> run(const HammerOptions& options) {
  static RunControl control;  // Lives as long as the senders; none is stopped by it.
  auto plans = plan_senders(options);
  EXPECT_TRUE(plans.ok()) << (plans.ok() ? "" : plans.error().message());
  auto sender = std::make_unique<Sender>(plans.value().front(), control);
  control.give_up = false;
  sender->start();
  sender->join();
  return sender;
}

// Number → the marks of its copies, in the order of their coming.
std::map<std::uint64_t, std::vector<unsigned>> copies_of(const std::vector<std::string>& lines) {
  std::map<std::uint64_t, std::vector<unsigned>> copies;
  for (const std::string& line : lines) {
    const auto event = find_hammer_event(line);
    EXPECT_TRUE(event && event->whole) << line;
    if (event) {
      copies[event->number].push_back(event->copy);
    }
  }
  return copies;
}

TEST(Sender, SendsEachNumberOnceOverSyslog) {
  TestPeer peer([](std::string_view) { return std::string(); });
  HammerOptions options = options_for(peer, "syslog");
  options.count = 20'000;
  options.connections = 3;
  const auto sender = run(options);
  EXPECT_EQ(sender->trouble(), "");
  const std::vector<std::string> lines = peer.lines();
  ASSERT_EQ(lines.size(), 20'000u);
  EXPECT_EQ(lines[0].size(), 120u);
  EXPECT_TRUE(lines[0].starts_with("<13>")) << lines[0];
  const auto copies = copies_of(lines);
  EXPECT_EQ(copies.size(), 20'000u);
  EXPECT_EQ(copies.rbegin()->first, 19'999u);
  EXPECT_LE(peer.connections(), 3u);
}

TEST(Sender, WaitsForAnOkForEachLine) {
  TestPeer peer([](std::string_view) { return std::string("OK\n"); });
  HammerOptions options = options_for(peer, "netcat");
  options.count = 5'000;
  options.window = 64;
  const auto sender = run(options);
  EXPECT_EQ(sender->trouble(), "");
  EXPECT_EQ(sender->flows()[0]->counts().acknowledged, 5'000u);
  EXPECT_EQ(peer.lines().size(), 5'000u);
  EXPECT_TRUE(sender->open_numbers(0).empty());
}

TEST(Sender, SendsRefusedLinesAgainAndMarksThem) {
  std::uint64_t asked = 0;
  TestPeer peer([&asked](std::string_view) {
    return std::string(++asked % 100 == 0 ? "FAILED: channel full\n" : "OK\n");
  });
  HammerOptions options = options_for(peer, "netcat");
  options.count = 1'000;
  const auto sender = run(options);
  EXPECT_EQ(sender->trouble(), "");
  const auto copies = copies_of(peer.lines());
  ASSERT_EQ(copies.size(), 1'000u);
  EXPECT_EQ(copies.at(98), (std::vector<unsigned>{0}));
  ASSERT_GE(copies.at(99).size(), 2u);
  EXPECT_EQ(copies.at(99)[0], 0u);
  EXPECT_EQ(copies.at(99)[1], 1u);
  EXPECT_EQ(sender->flows()[0]->counts().refused, 10u);
}

TEST(Sender, SendsWhatGotNoAnswerAgainAfterALostConnection) {
  std::uint64_t asked = 0;
  TestPeer peer([&asked](std::string_view) {
    ++asked;
    return asked == 500 || asked == 700 ? std::string(TestPeer::kHangUp) : std::string("OK\n");
  });
  HammerOptions options = options_for(peer, "netcat");
  options.count = 1'000;
  const auto sender = run(options);
  EXPECT_EQ(sender->trouble(), "");
  const FlowCounts& counts = sender->flows()[0]->counts();
  EXPECT_EQ(counts.acknowledged, 1'000u);
  EXPECT_EQ(counts.broken, 2u);
  EXPECT_GE(counts.again, 2u);
  EXPECT_EQ(copies_of(peer.lines()).size(), 1'000u);
}

TEST(Sender, GivesUpWhenNothingMoves) {
  TestPeer peer([](std::string_view) { return std::string(); });  // Never answers.
  HammerOptions options = options_for(peer, "netcat");
  options.count = 2'000;
  options.window = 100;
  options.give_up = 0.3;
  const auto sender = run(options);
  EXPECT_NE(sender->trouble().find("hammer-0: nothing moved"), std::string::npos);
  ASSERT_EQ(sender->open_numbers(0).size(), 1u);
  EXPECT_EQ(sender->open_numbers(0)[0], (NumberRange{0, 100, 0}));
}

TEST(Sender, GivesUpOnAPeerThatIsNoNetcatSource) {
  for (const std::string& answer : {std::string(TestPeer::kHangUp), std::string("500 what?\n")}) {
    TestPeer peer([&answer](std::string_view) { return answer; });
    HammerOptions options = options_for(peer, "netcat");
    options.count = 10;
    options.give_up = 0.3;
    const auto sender = run(options);
    EXPECT_NE(sender->trouble().find("nothing moved"), std::string::npos) << answer;
  }
}

TEST(Sender, GivesUpWhenNobodyListens) {
  std::uint16_t port = 0;
  {
    TestPeer gone([](std::string_view) { return std::string(); });
    port = gone.port();
  }
  TestPeer any([](std::string_view) { return std::string(); });
  HammerOptions options = options_for(any, "syslog");
  options.port = port;
  options.give_up = 0.3;
  const auto sender = run(options);
  EXPECT_NE(sender->trouble().find("connect"), std::string::npos) << sender->trouble();
}

TEST(Sender, KeepsItsRate) {
  TestPeer peer([](std::string_view) { return std::string(); });
  HammerOptions options = options_for(peer, "syslog");
  options.rate = 10'000;
  options.seconds = 0.5;
  run(options);
  EXPECT_GE(peer.lines().size(),
            1'000u);  // A busy machine may be late, and does not make up for it
  EXPECT_LE(peer.lines().size(), 6'000u);  // beyond a tenth of a second.
}

}  // namespace
}  // namespace millrace
