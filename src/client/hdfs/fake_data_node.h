// DataNodes for tests, on ports of their own.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/hdfs/fake_transfer.h"
#include "io/sockets.h"

namespace millrace::hdfs::testing_kit {

// Serves each connection on a thread of its own.
class FakeDataNode {
 public:
  explicit FakeDataNode(FakeReplicas& replicas)
      : replicas_(replicas), listener_(std::move(listen_on("127.0.0.1", 0, 0)).value()) {
    acceptor_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
  }
  ~FakeDataNode() { stop(); }

  std::uint16_t port() const { return local_port_of(listener_.get()); }
  DatanodeInfo info() const {
    DatanodeInfo info;
    info.id = {"127.0.0.1", "localhost", "uuid-" + std::to_string(port()), port(), 1, 2, 0};
    info.location = "/rack";
    return info;
  }
  void meets(Trouble trouble) {
    const std::lock_guard lock(mutex_);
    troubles_.push_back(trouble);
  }
  // Neither answers nor accepts any more.
  void stop() {
    stopping_ = true;
    acceptor_.request_stop();
    if (acceptor_.joinable()) {
      acceptor_.join();
    }
    connections_.clear();
    listener_ = Descriptor();
  }

 private:
  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      Descriptor accepted(
          ::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!accepted) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      connections_.emplace_back([transfer = FakeTransfer(
                                     DataSocket::adopt(std::move(accepted), "client"), replicas_,
                                     [this] { return next_trouble(); }, stopping_)]() mutable {
        static_cast<void>(transfer.serve());
      });
    }
  }

  Trouble next_trouble() {
    const std::lock_guard lock(mutex_);
    if (troubles_.empty()) {
      return {};
    }
    const Trouble trouble = troubles_.front();
    troubles_.pop_front();
    return trouble;
  }

  FakeReplicas& replicas_;
  Descriptor listener_;
  std::mutex mutex_;  // Guards troubles_.
  std::deque<Trouble> troubles_;
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> connections_;  // The acceptor's, then stop()'s.
  std::jthread acceptor_;
};

}  // namespace millrace::hdfs::testing_kit
