// The files that a client writes, kept alive.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.h"
#include "client/hdfs/hdfs_output_stream.h"
#include "client/hdfs/name_node.h"

namespace millrace::hdfs {

// Renews the lease of the client while a file is open, and keeps the pipelines of idle files alive.
// One thread, from the first file on. `name_node` outlives it. Threads: any.
class OpenFiles {
 public:
  explicit OpenFiles(NameNode& name_node) : name_node_(name_node) {}
  ~OpenFiles() { stop(); }

  // Held by nobody else: it is closed or abandoned when the caller drops it.
  std::unique_ptr<dfs::OutputStream> add(std::shared_ptr<HdfsOutputStream> file);
  void stop();

 private:
  void keep(const std::stop_token& stop);
  std::vector<std::shared_ptr<HdfsOutputStream>> alive();
  void renew();

  NameNode& name_node_;
  std::mutex mutex_;  // Guards what follows.
  std::vector<std::weak_ptr<HdfsOutputStream>> files_;
  bool failing_ = false;  // The last renewal did: said once.
  std::jthread thread_;
};

}  // namespace millrace::hdfs
