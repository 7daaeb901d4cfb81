// The connections that a server has accepted. Included by tcp_*.cc alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "io/descriptor.h"
#include "io/tcp_connection_parts.h"
#include "io/tcp_limits.h"
#include "io/tcp_server.h"

struct sockaddr_storage;

namespace millrace {

// Keeps them until they close, arms their reads between turns, and gives each its share of the
// memory that the kernel grants for received bytes.
// Threads: the loop's, but for count(). Loop, options and handler outlive it; close_all() comes
// before its end.
class TcpConnections final : public ConnectionOwner {
 public:
  TcpConnections(EventLoop& loop, const TcpServerOptions& options, TcpHandler& handler)
      : loop_(loop), options_(options), handler_(handler) {}

  // A fresh one, from `address` to our `port`.
  void admit(Descriptor socket, const sockaddr_storage& address, std::uint16_t port);
  void end_turn();
  void close_all();
  // Runs `visit` for each one that on_open() was called for; it may close them.
  void for_each(const std::function<void(TcpConnection&)>& visit);
  // No socket holds anything that is still to be read.
  bool are_dry() const;
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }

  void arm_after_turn(std::shared_ptr<TcpConnection> connection) override {
    to_arm_.push_back(std::move(connection));
  }
  void forget(TcpConnection& connection) override;

 private:
  std::shared_ptr<TcpConnection> make_connection(Descriptor socket);
  void limit_handshake(const std::shared_ptr<TcpConnection>& connection);
  static void set_receive_buffer(TcpConnection::Parts& parts, std::size_t bytes);
  void lower_receive_buffers();

  EventLoop& loop_;
  const TcpServerOptions& options_;
  TcpHandler& handler_;
  std::size_t share_ = kLeftToKernel;  // SO_RCVBUF of the latest connections.
  std::unordered_map<const TcpConnection*, std::shared_ptr<TcpConnection>> connections_;
  std::vector<std::shared_ptr<TcpConnection>> to_arm_;
  std::vector<std::shared_ptr<TcpConnection>> arming_;  // Kept for its memory.
  std::atomic<std::size_t> count_{0};                   // Of connections_.
};

}  // namespace millrace
