// What tests of the source `TAILDIR` share: a folder of logs, and a source over it.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "io/temp_folder.h"
#include "source/source_fixture.h"
#include "source/taildir/taildir_source.h"

namespace millrace {

class TaildirFixture : public SourceFixture {
 protected:
  using Strings = std::vector<std::string>;
  using More = std::map<std::string, std::string>;

  TaildirFixture() { std::filesystem::create_directory(folder / "logs"); }

  std::filesystem::path log(std::string_view name) const { return folder / "logs" / name; }
  void append(std::string_view name, std::string_view text) const {
    std::ofstream(log(name), std::ios::app | std::ios::binary) << text;
  }
  // The older, the sooner it is read.
  void set_age(std::string_view name, std::chrono::seconds age) const {
    std::filesystem::last_write_time(log(name),
                                     std::filesystem::file_time_type::clock::now() - age);
  }
  std::filesystem::path position_file() const { return folder / "state" / "p.json"; }
  std::string positions() const { return text_of(position_file()); }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write_positions(std::string_view text) const {
    std::filesystem::create_directories(folder / "state");
    std::ofstream(position_file(), std::ios::binary) << text;
  }

  // Over the files *.log, unless `more` says otherwise.
  TaildirSource& tail(const More& more = {}) {
    std::map<std::string, std::string> keys{{"filegroups", "g1"},
                                            {"filegroups.g1", log(".*\\.log").string()},
                                            {"positionFile", position_file().string()},
                                            {"writePosInterval", "20"}};
    for (const auto& [key, value] : more) {
      keys[key] = value;
    }
    return start<TaildirSource>({keys.begin(), keys.end()});
  }
  void stop(TaildirSource& source) {
    source.stop(clock.steady() + std::chrono::seconds(10));
    collect();
  }
  std::string inode(std::string_view name) const {
    struct stat status {};
    EXPECT_EQ(::stat(log(name).c_str(), &status), 0);
    return std::to_string(status.st_ino);
  }
  // What came, when it is so many events, and no more come soon.
  Strings lines(std::size_t count) {
    EXPECT_TRUE(collected(count)) << "of " << count << " events came " << events.size();
    return bodies();
  }
  std::uint64_t gauge(std::string_view name) {
    return metrics.counter(name, MetricKind::kGauge).value();
  }

  const TempFolder folder;
};

}  // namespace millrace
