#include "core/letters.h"

#include <gtest/gtest.h>

#include "core/dead_letter.h"
#include "core/fake_channel.h"
#include "core/testing.h"

namespace millrace {
namespace {

using testing_kit::HeaderList;

class LettersTest : public testing::Test {
 protected:
  void take(const BatchPtr& batch) {
    PutDone done = [](const Result<>&) {};
    ASSERT_EQ(channel.put(batch, done), PutStatus::kAccepted);
    ASSERT_NE(taken.take({1000, 1 << 20}, {}, {}), nullptr);
  }
  BatchPtr letters() { return letters_of(rejects, taken, {"a1.sinks.k1", "c1"}, clock, space); }

  testing_kit::Slabs slabs;
  BatchSpace space{slabs.pool()};
  FakeClock clock;  // Stands at 1,700,000,000 s.
  FakeChannel channel;
  TakeTransaction taken{channel};
  Rejects rejects;
};

TEST_F(LettersTest, ALetterKeepsBodyAndHeadersAndSaysWhyWhenAndWhence) {
  take(slabs.batch_of({{"good", {}}, {"bad", {{"host", "web1"}, {"topic", "t"}}}}));
  rejects.start_lease(0);
  rejects.add(1, "no such topic: t");
  const BatchPtr made = letters();
  ASSERT_EQ(made->size(), 1u);
  EXPECT_EQ((*made)[0].body(), "bad");
  EXPECT_EQ(testing_kit::headers_of((*made)[0]),
            (HeaderList{{"host", "web1"},
                        {"topic", "t"},
                        {"dead-letter.reason", "no such topic: t"},
                        {"dead-letter.time", "1700000000000"},
                        {"dead-letter.component", "a1.sinks.k1"},
                        {"dead-letter.taken-from", "c1"}}));
}

TEST_F(LettersTest, TheLastRejectionCounts) {
  take(slabs.batch_of({{"bad", {{"dead-letter.reason", "too old"}, {"host", "web1"}}}}));
  rejects.start_lease(0);
  rejects.add(0, "too large");
  const HeaderView headers = (*letters())[0].headers();
  EXPECT_EQ(headers.find("dead-letter.reason"), "too large");
  EXPECT_EQ(headers.size(), 5u);
}

TEST_F(LettersTest, LettersOfManyBatchesLiveWithoutThem) {
  take(slabs.numbered(3, "a"));
  take(slabs.numbered(3, "b"));
  rejects.start_lease(0);
  rejects.add(2, "x");
  rejects.start_lease(1);
  rejects.add(0, "x");
  rejects.add(1, "y");
  const BatchPtr made = letters();
  taken.commit({}, {});
  channel.make_room();
  EXPECT_EQ(testing_kit::bodies_of(*made), (std::vector<std::string>{"a2", "b0", "b1"}));
  // Every byte lies in a range: what a channel writes to its log, or copies, is whole.
  EXPECT_EQ(testing_kit::bodies_of(*made->slice(1, 3)->compact(slabs.pool())),
            (std::vector<std::string>{"b0", "b1"}));
  EXPECT_EQ((*made)[2].headers().find("dead-letter.reason"), "y");
}

TEST_F(LettersTest, EventsThatShareHeadersAndReasonStillDo) {
  EventBatch::Builder builder = slabs.builder_of({});
  HeaderEditor editor;
  editor.set("host", "web1");
  const std::string_view block = builder.store_headers(editor);
  for (int i = 0; i < 3; ++i) {
    builder.add(builder.store_body("x"), block);
  }
  take(builder.seal());
  rejects.start_lease(0);
  rejects.add(0, "r");
  rejects.add(1, "r");
  rejects.add(2, "s");
  const BatchPtr made = letters();
  EXPECT_EQ((*made)[0].headers_data, (*made)[1].headers_data);
  EXPECT_NE((*made)[1].headers_data, (*made)[2].headers_data);
}

TEST_F(LettersTest, AreMadeWithTheMemoryBudgetSpent) {
  testing_kit::Slabs spent(0);
  BatchSpace none(spent.pool());
  take(slabs.batch_of_bodies({"bad"}));
  rejects.start_lease(0);
  rejects.add(0, "r");
  const BatchPtr made = letters_of(rejects, taken, {"a1.sinks.k1", "c1"}, clock, none);
  EXPECT_EQ((*made)[0].body(), "bad");
  EXPECT_EQ((*made)[0].headers().find("dead-letter.reason"), "r");
}

}  // namespace
}  // namespace millrace
