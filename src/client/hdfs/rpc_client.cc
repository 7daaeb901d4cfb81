#include "client/hdfs/rpc_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

#include "client/hdfs/remote_errors.h"

namespace millrace::hdfs {
namespace {

std::string random_id() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 16; ++i) {
    id.push_back(static_cast<char>(random()));
  }
  return id;
}

Error client_closed() {
  return closed("the file system was closed");
}

SteadyTime deadline_in(std::chrono::milliseconds time) {
  return time.count() == 0 ? SteadyTime::max() : std::chrono::steady_clock::now() + time;
}

}  // namespace

// How often and how long one call is tried.
class RpcClient::Tries {
 public:
  Tries(const RpcOptions& options, const std::atomic<bool>& closed)
      : options_(options), patience_{deadline_in(options.call_timeout), &closed} {}

  SteadyTime deadline() const { return patience_.until; }
  std::int32_t count() const { return count_; }

  // After a pause, unless the time is up.
  Result<> again_after(const Error& why) {
    ++count_;
    Result<> paused = patience_.pause(options_.retry_interval);
    if (paused.ok() || paused.error().fault() == Fault::kClosed) {
      return paused;
    }
    return Error(Fault::kTransient, "gave up after the call's time-out: " + why.message(),
                 ETIMEDOUT);
  }
  // The same for a NameNode that cannot be reached, which bears fewer tries.
  Result<> again_after_connecting(const Error& why) {
    if (unreached_++ >= options_.connect_retries) {
      return why;
    }
    return again_after(why);
  }
  void reached() { unreached_ = 0; }

 private:
  const RpcOptions& options_;
  const Patience patience_;
  std::int32_t count_ = 0;
  std::uint32_t unreached_ = 0;  // In a row.
};

RpcClient::RpcClient(RpcTarget target, RpcOptions options)
    : target_(std::move(target)), options_(options), client_id_(random_id()) {}

Result<std::string> RpcClient::call(std::string_view method, std::string request) {
  const RpcCall call{client_id_, next_call_++ & 0x7fffffff, method, std::move(request),
                     target_.protocol};
  Tries tries(options_, closed_);
  for (;;) {
    const auto connected = connection(tries.deadline());
    if (!connected.ok()) {
      if (connected.error().fault() != Fault::kTransient) {
        return connected.error();
      }
      TRY(tries.again_after_connecting(connected.error()));
      continue;
    }
    Result<RpcAnswer> answer = (*connected)->call(call, tries.count(), tries.deadline());
    if (answer.ok() && !answer->fault) {
      return std::move(answer->message);
    }
    if (answer.ok()) {
      tries.reached();
      if (!may_pass(*answer->fault)) {
        return error_of(*answer->fault);
      }
      TRY(tries.again_after(error_of(*answer->fault)));
      continue;
    }
    if (closed_) {
      return client_closed();
    }
    if (answer.error().fault() == Fault::kConfig) {
      return answer.error();
    }
    TRY(tries.again_after_connecting(answer.error()));
  }
}

Result<std::shared_ptr<RpcConnection>> RpcClient::connection(SteadyTime deadline) {
  std::unique_lock lock(mutex_);
  if (!connected_.wait_until(lock, deadline, [&] { return !connecting_ || closed_; })) {
    return system_error(fmt::format("connect to {}", target_.address()), ETIMEDOUT);
  }
  if (closed_) {
    return client_closed();
  }
  if (connection_ && connection_->usable()) {
    return connection_;
  }
  connecting_ = true;
  const std::shared_ptr<RpcConnection> ended = std::move(connection_);  // Goes without the lock.
  lock.unlock();
  auto made = RpcConnection::open(target_, options_, deadline, closed_);
  lock.lock();
  connecting_ = false;
  connected_.notify_all();
  if (made.ok() && !closed_) {
    connection_ = *made;
  }
  lock.unlock();  // Before `ended` joins its thread.
  return made;
}

void RpcClient::close() {
  std::shared_ptr<RpcConnection> ended;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    ended = std::move(connection_);
    connected_.notify_all();
  }
  if (ended) {
    ended->fail(client_closed());
  }
}

}  // namespace millrace::hdfs
