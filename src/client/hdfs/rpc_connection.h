// One connection to a NameNode or a DataNode: calls side by side, answers in any order.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "client/hdfs/data_socket.h"
#include "client/hdfs/rpc_messages.h"

namespace millrace::hdfs {

// Where a NameNode or a DataNode is, and for whom we speak.
struct RpcTarget {
  std::string host;
  std::uint16_t port = 8020;
  std::string user;
  std::string_view protocol = kClientProtocol;

  // "nn:8020", "[::1]:8020".
  std::string address() const;
};

struct RpcOptions {
  std::chrono::milliseconds connect_timeout{20'000};
  std::uint32_t connect_retries = 10;  // Tries after the first, as long as none succeeds.
  std::chrono::milliseconds retry_interval{1'000};
  std::chrono::milliseconds call_timeout{120'000};  // Of a call with all of its tries.
  std::chrono::milliseconds ping_interval{60'000};  // While an answer is awaited; 0: none.
  std::uint32_t most_answer_bytes = 128 * 1024 * 1024;
};

// The connection is of no use after the first error on it: every call under way ends with that.
//
// Threads: any; a thread of its own reads.
class RpcConnection {
 public:
  // Connects and says who we are. The target's cluster must not ask for SASL: that shows at the
  // first answer, as kConfig. `closed` ends the wait.
  static Result<std::shared_ptr<RpcConnection>> open(const RpcTarget& target,
                                                     const RpcOptions& options, SteadyTime deadline,
                                                     const std::atomic<bool>& closed);
  ~RpcConnection();

  // ETIMEDOUT at the deadline: the answer is dropped when it comes. Any other error ended the
  // connection, and the call may have been done or not. A fault of the server is an answer.
  Result<RpcAnswer> call(const RpcCall& call, std::int32_t retry, SteadyTime deadline);

  bool usable() const;
  // Ends every call under way with `why`, and the connection.
  void fail(const Error& why);

 private:
  struct Pending {
    std::condition_variable ended;
    std::optional<Result<RpcAnswer>> outcome;
  };

  RpcConnection(DataSocket socket, const RpcOptions& options);
  Result<> send(const std::string& frame, SteadyTime deadline);
  void read();
  Result<RpcAnswer> read_answer();
  Result<> fill(std::span<char> space);
  Result<> ping_if_awaited();
  void give(RpcAnswer answer);

  const RpcOptions options_;
  DataSocket socket_;  // Its two directions are used side by side.
  std::atomic<bool> ended_{false};
  mutable std::mutex mutex_;  // Guards what follows.
  std::condition_variable sent_;
  bool sending_ = false;  // One frame at a time; its thread sends without the lock.
  std::map<std::int32_t, Pending*> pending_;  // By call id; each belongs to the thread that waits.
  std::optional<Error> failure_;
  std::jthread reader_;  // The last member: it uses the others.
};

}  // namespace millrace::hdfs
