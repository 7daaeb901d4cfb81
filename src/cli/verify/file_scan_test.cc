#include "cli/verify/file_scan.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "cli/hammer/event_text.h"
#include "core/headers.h"
#include "io/fake_file_system.h"
#include "io/temp_folder.h"
#include "serializer/avro_container_writer.h"

namespace millrace {
namespace {

std::string event(std::uint32_t hammer, std::uint64_t number, unsigned copy = 0) {
  EventText made = make_event_text(hammer, "run1", 120, "x");
  put_digits(made.text.data() + made.number_at, kNumberDigits, number);
  put_digits(made.text.data() + made.copy_at, 2, copy);
  return made.text;
}

// A container file, an event a block, of numbers 0 and on.
std::string avro_file(std::uint64_t events) {
  AvroContainerWriter writer({AvroCodec::kSnappy});
  std::string file;
  writer.begin("0123456789abcdef", file);
  for (std::uint64_t number = 0; number < events; ++number) {
    const std::string body = event(0, number);
    const EventRef ref{body.data(), kNoHeaders.data(), static_cast<std::uint32_t>(body.size()),
                       static_cast<std::uint32_t>(kNoHeaders.size())};
    EXPECT_TRUE(writer.append({&ref, 1}, file).ok());
    EXPECT_TRUE(writer.end_block(file).ok());
  }
  return file;
}

class FileScanTest : public ::testing::Test {
 protected:
  void write(const std::filesystem::path& path, std::string_view bytes) {
    ASSERT_TRUE(files_.create_directories(path.parent_path()).ok());
    ASSERT_TRUE(files_.open(path, OpenMode::kTruncate).value()->write_at(bytes, 0).ok());
  }
  Result<> scan(const std::filesystem::path& path) {
    for (const auto& file : TRY(files_below(files_, {path}))) {
      TRY(scan_file(files_, file, tallies_));
    }
    return {};
  }

  FakeFileSystem files_;
  Tallies tallies_;
};

TEST_F(FileScanTest, FindsEventsWithAndWithoutAPrefix) {
  write("/out/a", event(0, 0) + "\n<13>Feb  3 04:05:06 host " + event(0, 1) + "\n{k=v} " +
                      event(1, 0) + "\nsomething else\n\n" + event(0, 1));
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  ASSERT_EQ(result.hammers.size(), 2u);
  EXPECT_EQ(result.hammers[0].tally.total, 2u);
  EXPECT_EQ(result.hammers[0].tally.dups, 1u);
  EXPECT_EQ(result.hammers[1].tally.total, 1u);
  EXPECT_EQ(result.other, 2u);
  EXPECT_EQ(result.cut, 0u);
}

TEST_F(FileScanTest, CutEventsAreNotThere) {
  write("/out/a", event(0, 0) + "\n" + event(0, 1).substr(0, 90) + "\n" + event(0, 2));
  ASSERT_TRUE(scan("/out/a").ok());
  const VerifyResult result = tallies_.finish(0);
  EXPECT_EQ(result.hammers.at(0).tally.lost, 1u);
  EXPECT_EQ(result.cut, 1u);
}

// Goal: a line is found wherever it lies against the pieces in which a file is read.
TEST_F(FileScanTest, LinesMayCrossChunks) {
  std::string text;
  constexpr std::uint64_t kLines = 40'000;  // 4.8 MB.
  for (std::uint64_t i = 0; i < kLines; ++i) {
    text += event(2, i) + "\n";
  }
  write("/out/a", text);
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  EXPECT_EQ(result.hammers.at(0).tally.total, kLines);
  EXPECT_EQ(result.hammers.at(0).tally.lost, 0u);
  EXPECT_EQ(result.other + result.cut, 0u);
}

TEST_F(FileScanTest, ReadsAvroFiles) {
  write("/out/a", avro_file(5));
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  EXPECT_EQ(result.hammers.at(0).tally.total, 5u);
  EXPECT_TRUE(result.notes.empty());
}

TEST_F(FileScanTest, NamesATornAvroTail) {
  const std::string whole = avro_file(4);
  write("/out/a", whole.substr(0, whole.size() - 7));
  write("/out/b", whole.substr(0, 30));
  write("/out/c", whole.substr(0, 2));
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  EXPECT_EQ(result.hammers.at(0).tally.total, 3u);
  ASSERT_EQ(result.notes.size(), 3u);
  EXPECT_EQ(result.notes[0].file, "/out/a");
  EXPECT_EQ(result.notes[0].offset, avro_file(3).size());
  EXPECT_EQ(result.notes[1].file, "/out/b");
  EXPECT_EQ(result.notes[2].file, "/out/c");
}

TEST_F(FileScanTest, GoesOnBehindDamage) {
  std::string damaged = avro_file(4);
  damaged[avro_file(1).size() + 20] ^= 1;  // In the second block.
  write("/out/a", damaged);
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  EXPECT_EQ(result.hammers.at(0).tally.total, 3u);
  EXPECT_EQ(result.hammers.at(0).tally.lost_examples, (std::vector<Interval>{{1, 1}}));
  EXPECT_EQ(result.note_count, 1u);
}

TEST_F(FileScanTest, SearchesFoldersButNotHiddenNames) {
  write("/out/flow0/a", event(0, 0));
  write("/out/flow1/deep/b", event(0, 1));
  write("/out/.tmp", event(0, 2));
  ASSERT_TRUE(scan("/out").ok());
  EXPECT_EQ(tallies_.finish(0).hammers.at(0).tally.total, 2u);
}

TEST_F(FileScanTest, ReadsEachFileOnceAndNoPipes) {
  const TempFolder folder;
  const std::filesystem::path out = folder.path() / "out";
  std::filesystem::create_directory(out);
  std::ofstream(out / "a") << event(0, 0) << "\n";
  std::filesystem::create_symlink("a", out / "again");
  std::filesystem::create_symlink("..", out / "up");
  std::filesystem::create_symlink("/dev/zero", out / "zero");
  ASSERT_EQ(::mkfifo((out / "pipe").c_str(), 0600), 0);
  const auto found = files_below(real_file_system(), {out, out / "a"});
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found.value(), (std::vector<std::filesystem::path>{out / "a"}));
}

TEST_F(FileScanTest, SaysWhatCannotBeRead) {
  const Result<> scanned = scan("/nowhere");
  ASSERT_FALSE(scanned.ok());
  EXPECT_NE(scanned.error().message().find("/nowhere"), std::string::npos);
}

TEST_F(FileScanTest, RunsThatWereNotAskedForAreLeftOut) {
  write("/out/a", event(0, 0));
  tallies_.want_run("run2");
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  EXPECT_TRUE(result.hammers.empty());
  EXPECT_EQ(result.other_runs, 1u);
}

TEST_F(FileScanTest, AReportSaysWhatShouldBeThere) {
  write("/out/a", event(0, 0) + "\n" + event(0, 1, 1) + "\n");
  HammerReport report;
  report.run = "run1";
  report.hammers = {FlowReport{.hammer = 0, .next = 4, .unsettled = {{3, 3}}},
                    FlowReport{.hammer = 1, .first = 10, .next = 15}};
  tallies_.expect(report);
  ASSERT_TRUE(scan("/out").ok());
  const VerifyResult result = tallies_.finish(0);
  ASSERT_EQ(result.hammers.size(), 2u);
  EXPECT_EQ(result.hammers[0].tally.lost, 1u);  // 2; 3 may be missing.
  EXPECT_EQ(result.hammers[1].tally.lost, 5u);
}

}  // namespace
}  // namespace millrace
