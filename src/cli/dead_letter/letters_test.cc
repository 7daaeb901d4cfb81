#include "cli/dead_letter/letters.h"

#include <cstdlib>

#include "cli/dead_letter/letter_fixture.h"
#include "core/testing_services.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

class LettersOfFilesTest : public testing::Test {
 protected:
  // Bodies, up to `most`.
  Words read(const std::filesystem::path& path, std::size_t most = 1000) {
    Words bodies;
    const Result<> done = read_letters(
        files, path,
        [&](const Letter& letter) -> Result<bool> {
          EXPECT_EQ(letter.number, bodies.size() + 1);
          bodies.emplace_back(letter.body);
          return bodies.size() < most;
        },
        notes);
    EXPECT_TRUE(done.ok());
    return bodies;
  }
  std::filesystem::path only_file() { return letter_files_at(files, "/dead").value().front(); }

  FakeClock clock;
  FakeFileSystem files{1, &clock};
  LetterWriter writer{clock, files, "/dead"};
  Words notes;
};

TEST_F(LettersOfFilesTest, ALetterSaysWhatItsHeadersSay) {
  writer.write({{"bad", "too large", {{"host", "web1"}}}});
  bool seen = false;
  ASSERT_TRUE(read_letters(
                  files, only_file(),
                  [&](const Letter& letter) -> Result<bool> {
                    seen = true;
                    EXPECT_EQ(letter.reason, "too large");
                    EXPECT_EQ(letter.component, "a1.sinks.k1");
                    EXPECT_EQ(letter.taken_from, "c1");
                    EXPECT_EQ(letter.time_ms, 1'700'000'000'000);
                    const std::string block = letter.event_headers();
                    EXPECT_EQ(HeaderView(block).size(), 1u);
                    EXPECT_EQ(HeaderView(block).find("host"), "web1");
                    return true;
                  },
                  notes)
                  .ok());
  EXPECT_TRUE(seen);
}

TEST_F(LettersOfFilesTest, FilesComeInTheOrderOfTheirNumbers) {
  for (int i = 0; i < 11; ++i) {
    writer.write({{"x"}});
    writer.roll();
  }
  files.put("/dead/notes.txt", "not ours");
  files.put("/dead/.hidden.avro", "not ours");
  Words names;
  const std::vector<std::filesystem::path> paths = letter_files_at(files, "/dead").value();
  for (const std::filesystem::path& path : paths) {
    names.push_back(path.filename());
  }
  ASSERT_EQ(names.size(), 11u);
  EXPECT_EQ(names.front(), "a1.k1-1700000000000-1.avro");
  EXPECT_EQ(names.back(), "a1.k1-1700000000000-11.avro");
}

TEST_F(LettersOfFilesTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_FALSE(letter_files_at(files, "/deaf").ok());
}

TEST_F(LettersOfFilesTest, TheVisitorMayStop) {
  writer.write({{"a"}, {"b"}, {"c"}});
  EXPECT_EQ(read(only_file(), 2), (Words{"a", "b"}));
}

// As a killed agent leaves it.
TEST_F(LettersOfFilesTest, WhatIsWholeOfATornFileIsReadAndTheRestNoted) {
  writer.write({{"a"}});
  writer.write({{"b"}});
  const std::string text = files.text(only_file());
  files.put("/dead/torn.avro", text.substr(0, text.size() - 3));
  EXPECT_EQ(read("/dead/torn.avro"), Words{"a"});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(notes[0].starts_with("torn.avro: ")) << notes[0];
}

TEST_F(LettersOfFilesTest, WhatIsWholeBehindDamageIsRead) {
  writer.write({{"a"}});
  writer.write({{"b"}});
  writer.write({{"c"}});
  std::string text = files.text(only_file());
  text[text.find("b", text.find("a1.sinks.k1", text.find("a1.sinks.k1") + 1)) - 1] = '\x7f';
  files.put("/dead/damaged.avro", text);
  const Words bodies = read("/dead/damaged.avro");
  EXPECT_EQ(bodies.front(), "a");
  EXPECT_EQ(bodies.back(), "c");
  EXPECT_FALSE(notes.empty());
}

class LetterGoldenTest : public testing::Test {
 protected:
  // The letters of the folder's one file, a line each.
  static Words lines_of(const std::filesystem::path& folder) {
    const std::vector<std::filesystem::path> found =
        letter_files_at(real_file_system(), folder).value();
    EXPECT_EQ(found.size(), 1U);
    Words lines;
    Words notes;
    const auto note_letter = [&](const Letter& letter) -> Result<bool> {
      const std::string block = letter.event_headers();
      lines.push_back(std::to_string(*letter.time_ms) + " " + std::string(letter.component) + " " +
                      std::string(letter.reason) + " " +
                      std::string(*HeaderView(block).find("host")) + " " +
                      std::string(letter.body));
      return true;
    };
    EXPECT_TRUE(read_letters(real_file_system(), found.at(0), note_letter, notes).ok());
    EXPECT_TRUE(notes.empty());
    return lines;
  }

  const Words expected{"1700000000000 a1.sinks.k1 no such topic: web web1 GET /index.html 200",
                       "1700000000000 a1.sinks.k1 no such topic: web web2 GET /about.html 200",
                       "1700000005000 a1.sinks.k1 no field \"time\" app1 "
                       "{\"level\": \"info\", \"text\": \"started\"}"};
};

TEST_F(LetterGoldenTest, ReadsTheGoldenFile) {
  EXPECT_EQ(lines_of(MILLRACE_SOURCE_DIR "/tests/golden/dead-letters"), expected);
}

// With MILLRACE_WRITE_GOLDEN=FOLDER in the environment the file, which has another sync marker each
// time, is made there and kept.
TEST_F(LetterGoldenTest, WritesWhatTheGoldenFileHolds) {
  const TempFolder temp;
  const char* const asked_for = std::getenv("MILLRACE_WRITE_GOLDEN");
  const std::filesystem::path folder = asked_for != nullptr ? asked_for : temp.path();
  {
    FakeClock clock;
    LetterWriter writer(clock, real_file_system(), folder);
    const std::string reason = "no such topic: web";
    writer.write({{"GET /index.html 200", reason, {{"host", "web1"}, {"topic", "web"}}},
                  {"GET /about.html 200", reason, {{"host", "web2"}, {"topic", "web"}}}});
    clock.advance(std::chrono::seconds(5));
    writer.write({{"{\"level\": \"info\", \"text\": \"started\"}",
                   "no field \"time\"",
                   {{"host", "app1"}}}});
  }
  EXPECT_EQ(lines_of(folder), expected);
}

}  // namespace
}  // namespace millrace
