// Calls of a NameNode that outlive its connections.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "client/hdfs/rpc_connection.h"

namespace millrace::hdfs {

// Repeats: a call whose connection ended is made again on the next one, with the same client id and
// call id, until its time is up; the NameNode's retry cache gives the answer of the first where it
// had come so far. So is one that the server was not ready for (starting, in safe mode). A call
// that timed out may have been done all the same. Threads: any; calls run side by side on one
// connection, made when it is needed.
class RpcClient {
 public:
  RpcClient(RpcTarget target, RpcOptions options);

  // The bytes of the answer's message. Errors of the server: see remote_errors.h; ETIMEDOUT after
  // the call's time-out; kClosed after close(); kConfig for a cluster that we cannot talk to.
  Result<std::string> call(std::string_view method, std::string request);
  // Ends calls under way, and refuses others.
  void close();

  const RpcTarget& target() const { return target_; }
  const std::atomic<bool>& closed() const { return closed_; }

 private:
  class Tries;
  Result<std::shared_ptr<RpcConnection>> connection(SteadyTime deadline);

  const RpcTarget target_;
  const RpcOptions options_;
  const std::string client_id_;
  std::atomic<std::int32_t> next_call_{0};
  std::atomic<bool> closed_{false};
  std::mutex mutex_;  // Guards what follows.
  std::condition_variable connected_;
  bool connecting_ = false;  // One thread does, without the lock.
  std::shared_ptr<RpcConnection> connection_;
};

}  // namespace millrace::hdfs
