#include "io/file_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "io/temp_folder.h"

namespace millrace {
namespace {

using Kind = FileWatch::Change::Kind;
using testing::Contains;
using testing::IsEmpty;

struct Seen {
  Kind kind;
  int watch;
  std::string name;
  friend bool operator==(const Seen&, const Seen&) = default;
};

class FileWatchTest : public testing::Test {
 protected:
  std::vector<Seen> read() {
    std::vector<Seen> seen;
    watch_.read([&](const FileWatch::Change& change) {
      seen.push_back({change.kind, change.watch, std::string(change.name)});
    });
    return seen;
  }
  void append(const std::filesystem::path& path) { std::ofstream(path, std::ios::app) << "more\n"; }

  TempFolder folder_;
  FileWatch watch_ = FileWatch::open().value();
};

TEST_F(FileWatchTest, TellsWhatHappensInAFolder) {
  const int folder = watch_.watch_folder(folder_.path()).value();
  EXPECT_THAT(read(), IsEmpty());
  append(folder_ / "a.log");
  const auto made = read();
  EXPECT_THAT(made, Contains(Seen{Kind::kNames, folder, "a.log"}));
  EXPECT_THAT(made, Contains(Seen{Kind::kContent, folder, "a.log"}));
  std::filesystem::rename(folder_ / "a.log", folder_ / "b.log");
  const auto renamed = read();
  EXPECT_THAT(renamed, Contains(Seen{Kind::kNames, folder, "a.log"}));
  EXPECT_THAT(renamed, Contains(Seen{Kind::kNames, folder, "b.log"}));
}

TEST_F(FileWatchTest, TellsOfAFileBehindALink) {
  append(folder_ / "target");
  std::filesystem::create_symlink(folder_ / "target", folder_ / "link");
  const int file = watch_.watch_file(folder_ / "link").value();
  append(folder_ / "target");
  EXPECT_THAT(read(), Contains(Seen{Kind::kContent, file, ""}));
  watch_.end(file);
  read();
  append(folder_ / "target");
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(FileWatchTest, TellsThatAFolderHasGone) {
  std::filesystem::create_directory(folder_ / "sub");
  const int folder = watch_.watch_folder(folder_ / "sub").value();
  std::filesystem::remove(folder_ / "sub");
  EXPECT_THAT(read(), Contains(Seen{Kind::kEnded, folder, ""}));
  EXPECT_FALSE(watch_.watch_folder(folder_ / "sub").ok());
}

TEST_F(FileWatchTest, WatchesNoFileAsAFolder) {
  append(folder_ / "file");
  EXPECT_FALSE(watch_.watch_folder(folder_ / "file").ok());
}

TEST_F(FileWatchTest, KnowsLocalFileSystems) {
  EXPECT_FALSE(FileWatch::is_shared(folder_.path()));
  EXPECT_TRUE(FileWatch::is_shared(folder_ / "missing"));
}

}  // namespace
}  // namespace millrace
