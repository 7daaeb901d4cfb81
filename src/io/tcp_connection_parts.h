// The inside of a TcpConnection, shared with its server's. Included by tcp_*.cc alone.
#pragma once

#include <string>

#include "io/tcp_connection.h"
#include "io/tcp_limits.h"
#include "io/tcp_stream.h"

namespace millrace {

// What a connection asks of its server. Threads: the loop's.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // Waits for the connection to be readable again, from the end of this turn on.
  virtual void arm_after_turn(std::shared_ptr<TcpConnection> connection) = 0;
  virtual void forget(TcpConnection& connection) = 0;
};

struct TcpConnection::Parts {
  Parts(EventLoop& event_loop, TcpHandler& source, ConnectionOwner& server)
      : loop(event_loop), stream(event_loop.context()), handler(source), owner(&server) {}

  EventLoop& loop;
  TcpStream stream;
  TcpHandler& handler;
  ConnectionOwner* owner;  // Null once closed.
  PeerAddress peer{};
  std::uint16_t local_port = 0;
  std::size_t receive_buffer = kLeftToKernel;  // What SO_RCVBUF was set to.

  bool open = true;
  bool greeted = false;     // on_open() has run.
  bool paused = false;      // By the source.
  bool finishing = false;   // Close once all is sent and the peer has closed.
  bool over_limit = false;  // write() has said false; on_drained() is due.
  bool read_armed = false;  // A wait is under way, or on_readable() is due.
  bool write_armed = false;
};

}  // namespace millrace
