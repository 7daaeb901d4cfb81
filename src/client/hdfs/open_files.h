// The files that a client writes, kept alive.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "client/hdfs/hdfs_output_stream.h"
#include "client/hdfs/name_node.h"

namespace millrace::hdfs {

// Renews the lease of the client while a file is open, and keeps the pipelines of idle files alive.
// One thread, from the first file on. `name_node` outlives it. Threads: any.
class OpenFiles {
 public:
  // `look`: how often it looks at the files. `renewal`: half of the time after which others may
  // take the lease.
  explicit OpenFiles(NameNode& name_node, SteadyTime::duration look = std::chrono::seconds(1),
                     SteadyTime::duration renewal = std::chrono::seconds(30))
      : name_node_(name_node), look_(look), renewal_(renewal) {}
  ~OpenFiles() { stop(); }

  // Held by nobody else: it is closed or abandoned when the caller drops it.
  std::unique_ptr<dfs::OutputStream> add(std::shared_ptr<HdfsOutputStream> file);
  void stop();

 private:
  void keep(const std::stop_token& stop);
  std::vector<std::shared_ptr<HdfsOutputStream>> alive();
  void renew();

  NameNode& name_node_;
  const SteadyTime::duration look_;
  const SteadyTime::duration renewal_;
  std::mutex mutex_;  // Guards what follows.
  std::vector<std::weak_ptr<HdfsOutputStream>> files_;
  std::jthread thread_;
  bool failing_ = false;  // The last renewal did: said once. The thread's alone.
};

}  // namespace millrace::hdfs
