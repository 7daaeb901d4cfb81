#include "cli/fs/file_arguments.h"

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

namespace millrace {
namespace {

constexpr std::uint64_t kMostSeconds = 86'400;
constexpr std::chrono::milliseconds kFirstPause{20};
constexpr std::chrono::milliseconds kLongestPause{1'000};

}  // namespace

void describe_files(Options& options, FileArguments& arguments, const std::string& name,
                    std::size_t least) {
  options.text("--conf", arguments.hadoop_conf,
               "Folder of core-site.xml and hdfs-site.xml; else that of HADOOP_CONF_DIR.");
  options.text("--user", arguments.config.user,
               "For whom; else HADOOP_USER_NAME, else who runs this.");
  options.number("--timeout", arguments.timeout, 0, kMostSeconds,
                 "Seconds that one call of a server may take; 0: as the configuration says.");
  options.rest(name, arguments.urls, least, "hdfs://HOST:PORT/PATH, file:///PATH or /PATH.");
}

dfs::FileSystems file_systems(const FileArguments& arguments) {
  dfs::FileSystemsConfig config = arguments.config;
  if (!arguments.hadoop_conf.empty()) {
    config.hadoop_conf = arguments.hadoop_conf;
  }
  config.call_timeout = std::chrono::seconds(arguments.timeout);
  return dfs::FileSystems(real_file_system(), std::move(config));
}

Result<> wait_until_true(std::chrono::seconds patience, const std::string& what,
                         const std::function<Result<bool>()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto pause = kFirstPause;
  while (!TRY(done())) {
    if (std::chrono::steady_clock::now() > deadline) {
      return system_error(what, ETIMEDOUT);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
  return {};
}

}  // namespace millrace
