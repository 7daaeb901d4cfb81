#include "cli/dead_letter/letter_totals.h"

#include "cli/dead_letter/letter_fixture.h"
#include "core/testing_services.h"

namespace millrace {
namespace {

class LetterTotalsTest : public testing::Test {
 protected:
  FakeClock clock;
  FakeFileSystem files{1, &clock};
};

TEST_F(LetterTotalsTest, CountsByFileAndByReason) {
  LetterWriter first(clock, files, "/dead");
  first.write({{"a"}, {"b", "too large"}});
  clock.advance(std::chrono::seconds(5));
  first.write({{"c"}});
  LetterWriter second(clock, files, "/dead", "k2");
  second.write({{"d"}});
  LetterNumbers replayed;
  replayed.add({1, 3});
  ASSERT_TRUE(write_mark(files, "/dead/a1.k1-1700000000000-1.avro", replayed).ok());
  const Result<LetterTotals> totals = count_letters(files, "/dead");
  ASSERT_TRUE(totals.ok());
  EXPECT_EQ(to_text(*totals),
            "file                           letters    replayed  oldest                    newest\n"
            "a1.k1-1700000000000-1.avro           3           2  2023-11-14T22:13:20.000Z  "
            "2023-11-14T22:13:25.000Z\n"
            "a1.k2-1700000005000-1.avro           1           0  2023-11-14T22:13:25.000Z  "
            "2023-11-14T22:13:25.000Z\n"
            "\n"
            "   letters  component    reason\n"
            "         2  a1.sinks.k1  no such topic\n"
            "         1  a1.sinks.k1  too large\n"
            "         1  a1.sinks.k2  no such topic\n"
            "\n"
            "2 files, 4 letters, 2 of them replayed\n");
  EXPECT_NE(to_json(*totals).find(
                R"({"component":"a1.sinks.k1","reason":"no such topic","letters":2,)"
                R"("oldest":"2023-11-14T22:13:20.000Z","newest":"2023-11-14T22:13:25.000Z"})"),
            std::string::npos)
      << to_json(*totals);
}

TEST_F(LetterTotalsTest, ReasonsWithoutEndAreSummedUp) {
  LetterWriter writer(clock, files, "/dead");
  std::vector<TestLetter> letters;
  for (int i = 0; i < 25; ++i) {
    letters.push_back({"x", "reason " + std::to_string(i)});
  }
  writer.write(letters);
  const std::string text = to_text(*count_letters(files, "/dead"));
  EXPECT_NE(text.find("         5  for other reasons\n"), std::string::npos) << text;
}

TEST_F(LetterTotalsTest, AnEmptyFolderIsSaidToBe) {
  ASSERT_TRUE(files.create_directories("/dead").ok());
  EXPECT_EQ(to_text(*count_letters(files, "/dead")), "0 files, 0 letters, 0 of them replayed\n");
}

}  // namespace
}  // namespace millrace
