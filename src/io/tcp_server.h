// A listening TCP port on an event loop, and the connections that it accepted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "io/event_loop.h"
#include "io/tcp_connection.h"

namespace millrace {

class TlsContext;

struct TcpServerOptions {
  std::string component;                    // For the log: "source r1".
  std::string host = "0.0.0.0";             // IPv4, IPv6 or a name.
  std::uint16_t port = 0;                   // 0: any free one, see TcpServer::port().
  std::uint32_t receive_buffer = 0;         // SO_RCVBUF in bytes; 0: see tcp_limits.h.
  std::shared_ptr<const TlsContext> tls{};  // Null: plain text.
  std::chrono::milliseconds handshake_timeout{10'000};
};

// Threads: listen(), drain(), stop_accepting(), close_all() and the destructor on the control
// thread or the loop's; on_* of the handler run on the loop's. The handler outlives the server.
class TcpServer {
 public:
  // kTransient when the port is in use, kConfig when the host or the port cannot be right.
  static Result<std::unique_ptr<TcpServer>> listen(EventLoop& loop, TcpServerOptions options,
                                                   TcpHandler& handler);
  ~TcpServer();  // Closes everything; on_closed() runs for each open connection.
  TcpServer(const TcpServer&) = delete;
  TcpServer& operator=(const TcpServer&) = delete;

  std::uint16_t port() const;
  std::size_t open_connections() const;  // Threads: any.

  // New clients are refused by the kernel from now on.
  void stop_accepting();
  // Stops accepting and lets the loop read on, until no socket has held anything for a moment
  // (true) or until `deadline` (false). Not on the loop's thread.
  bool drain(SteadyTime deadline);
  void close_all();
  // Runs `visit` for each open connection on the loop's thread.
  void for_each(const std::function<void(TcpConnection&)>& visit);

 private:
  struct State;
  explicit TcpServer(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace millrace
