#include "cli/dead_letter/letter_replay.h"

#include "cli/dead_letter/letter_fixture.h"
#include "cli/hammer/test_peer.h"
#include "core/testing_services.h"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

// Takes letters one by one, until told otherwise.
class ListDestination final : public LetterDestination {
 public:
  std::string obstacle(const Letter& letter) const override {
    return letter.body == "impassable" ? "it is" : "";
  }
  bool is_full() const override { return added.size() >= chunk; }
  bool carries_headers() const override { return false; }
  Result<> add(const Letter& letter) override {
    added.emplace_back(letter.body);
    return {};
  }
  Settled settle() override {
    Settled settled;
    for (const std::string& body : added) {
      if (stored.size() >= room) {
        settled.outcome = transient("the peer closed the connection");
        break;
      }
      if (body == "refused") {
        settled.refused.push_back(settled.known);
      } else {
        stored.push_back(body);
      }
      ++settled.known;
    }
    added.clear();
    return settled;
  }

  std::size_t chunk = 2;
  std::size_t room = 1000;
  Words added;
  Words stored;
};

class LetterReplayTest : public testing::Test {
 protected:
  LetterReplayTest() {
    writer.write({{"a"}, {"b", "too large", {{"host", "web1"}}}});
    writer.roll();
    writer.write({{"c"}});
  }
  std::unique_ptr<LetterReplay> replay(LetterDestination& destination,
                                       const std::string& reason = "") {
    auto made = std::make_unique<LetterReplay>(files, clock, LetterReplay::Plan{"/dead", reason});
    const Result<std::uint64_t> wanted_now = made->prepare();
    EXPECT_TRUE(wanted_now.ok());
    wanted = *wanted_now;
    outcome = made->run(destination);
    return made;
  }

  FakeClock clock;
  FakeFileSystem files{1, &clock};
  LetterWriter writer{clock, files, "/dead"};
  ListDestination to;
  std::uint64_t wanted = 0;
  Result<> outcome;
};

TEST_F(LetterReplayTest, EachLetterGoesOnce) {
  auto done = replay(to);
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(wanted, 3u);
  EXPECT_EQ(done->sent(), 3u);
  EXPECT_EQ(done->without_headers(), 1u);
  EXPECT_EQ(to.stored, (Words{"a", "b", "c"}));
  done.reset();
  replay(to);
  EXPECT_EQ(wanted, 0u);
  EXPECT_EQ(to.stored.size(), 3u);
}

TEST_F(LetterReplayTest, LettersThatCameSinceGoNext) {
  replay(to);
  writer.write({{"d"}});
  replay(to);
  EXPECT_EQ(to.stored, (Words{"a", "b", "c", "d"}));
}

TEST_F(LetterReplayTest, GoesOnWhereItBrokeOff) {
  to.room = 1;
  replay(to);
  EXPECT_FALSE(outcome.ok());
  to.room = 1000;
  replay(to);
  EXPECT_EQ(to.stored, (Words{"a", "b", "c"}));
}

TEST_F(LetterReplayTest, OnlyThoseOfAReason) {
  replay(to, "large");
  EXPECT_EQ(to.stored, Words{"b"});
  replay(to);
  EXPECT_EQ(to.stored, (Words{"b", "a", "c"}));
}

TEST_F(LetterReplayTest, WhatCannotGoStaysAndIsNamed) {
  writer.write({{"impassable"}, {"refused"}, {"d"}});
  const auto done = replay(to);
  EXPECT_EQ(to.stored, (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(done->impassable().examples, Words{"a1.k1-1700000000000-2.avro number 2"});
  EXPECT_EQ(done->refused().examples, Words{"a1.k1-1700000000000-2.avro number 3"});
}

TEST_F(LetterReplayTest, TwoAtATimeAreRefused) {
  LetterReplay first(files, clock, {"/dead", ""});
  ASSERT_TRUE(first.prepare().ok());
  LetterReplay second(files, clock, {"/dead", ""});
  const Result<std::uint64_t> refused = second.prepare();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("another replay is under way"), std::string::npos);
}

// A mark is written when its letters have arrived, not before.
TEST_F(LetterReplayTest, APowerLossRepeatsAndLosesNothing) {
  files.let_unsynced_survive(false);
  files.fail_always(FakeFileSystem::Operation::kRename, EIO);
  replay(to);
  EXPECT_FALSE(outcome.ok());
  files.heal();
  files.crash();
  replay(to);
  EXPECT_EQ(to.stored, (Words{"a", "b", "c", "a", "b", "c"}));
}

// Answers as a netcat source with max-line-length = 512 does.
class NetcatReplayTest : public LetterReplayTest {
 protected:
  Words replay_into(TestPeer& peer) {
    auto destination = open_letter_destination(files, "127.0.0.1:" + std::to_string(peer.port()));
    EXPECT_TRUE(destination.ok());
    replayed = replay(**destination);
    return peer.lines();
  }

  std::unique_ptr<LetterReplay> replayed;
};

TEST_F(NetcatReplayTest, BodiesGoAsLines) {
  TestPeer peer([](std::string_view) { return "OK\n"; });
  EXPECT_EQ(replay_into(peer), (Words{"a", "b", "c"}));
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(replayed->sent(), 3u);
}

TEST_F(NetcatReplayTest, ALineThatWasNotTakenGoesAgain) {
  std::atomic<int> lines{0};
  TestPeer peer([&](std::string_view) { return ++lines == 1 ? "FAILED: full\n" : "OK\n"; });
  EXPECT_EQ(replay_into(peer), (Words{"a", "b", "c", "a"}));
  EXPECT_EQ(replayed->sent(), 3u);
}

TEST_F(NetcatReplayTest, ALineEndInABodyIsLeftOut) {
  writer.write({{"two\nlines"}});
  TestPeer peer([](std::string_view) { return "OK\n"; });
  EXPECT_EQ(replay_into(peer), (Words{"a", "b", "c"}));
  EXPECT_EQ(replayed->impassable().letters, 1u);
}

TEST_F(NetcatReplayTest, ALineThatIsTooLongIsLeftOutAlone) {
  TestPeer peer([](std::string_view line) {
    return line == "b" ? "FAILED: Event exceeds the maximum length (512 chars, including newline)\n"
                       : "OK\n";
  });
  replay_into(peer);
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(replayed->sent(), 2u);
  EXPECT_EQ(replayed->refused().examples,
            std::vector<std::string>{"a1.k1-1700000000000-1.avro number 2"});
}

TEST_F(NetcatReplayTest, AnAnswerThatNeverComesIsAnError) {
  TestPeer peer([](std::string_view line) {
    return line == "b" ? std::string(TestPeer::kHangUp) : std::string("OK\n");
  });
  replay_into(peer);
  EXPECT_FALSE(outcome.ok());
  const std::uint64_t before = replayed->sent();
  EXPECT_LE(before, 1u);
  replayed.reset();
  TestPeer other([](std::string_view) { return "OK\n"; });
  replay_into(other);
  EXPECT_TRUE(outcome.ok());
  EXPECT_EQ(before + replayed->sent(), 3u);
}

}  // namespace
}  // namespace millrace
