// From a URL to the file system that it names.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "client/dfs/file_system.h"
#include "client/dfs/url.h"
#include "client/hdfs/options.h"
#include "io/file_system.h"

namespace millrace::dfs {

struct FileSystemsConfig {
  std::filesystem::path hadoop_conf;  // Folder of core-site.xml and hdfs-site.xml; empty: none.
  std::string user;  // For whom; empty: HADOOP_USER_NAME, else that of the process.
  std::chrono::milliseconds call_timeout{0};  // Of each call; 0: as the configuration says.
};

// With the folder that HADOOP_CONF_DIR names.
FileSystemsConfig config_of_process();

// A place in a file system.
struct Place {
  std::shared_ptr<FileSystem> files;
  std::string path;
};

// Makes each file system once: by scheme and authority, for one user. Threads: any.
class FileSystems {
 public:
  // `local` outlives it.
  FileSystems(millrace::FileSystem& local, FileSystemsConfig config);
  FileSystems(const FileSystems&) = delete;
  FileSystems& operator=(const FileSystems&) = delete;
  ~FileSystems() { close(); }

  // `text`: "hdfs://host:8020/a", "file:///a", "/a" (of fs.defaultFS, where the configuration names
  // one, else of this machine). kConfig for what is no URL, a scheme or a cluster that is not
  // supported, and a configuration that is no good.
  Result<Place> find(const std::string& text);
  // All of them; what still uses them gets kClosed.
  void close();

 private:
  Result<std::shared_ptr<FileSystem>> make(const Url& url);
  Result<> configure();

  millrace::FileSystem& local_;
  const FileSystemsConfig config_;
  std::mutex mutex_;  // Guards what follows.
  std::optional<hdfs::Configuration> configuration_;
  hdfs::Options options_;
  std::map<std::string, std::shared_ptr<FileSystem>> made_;
};

}  // namespace millrace::dfs
