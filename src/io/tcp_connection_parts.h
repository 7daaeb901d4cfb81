// The inside of a TcpConnection, shared with its server. Included by tcp_*.cc alone.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "io/tcp_connection.h"
#include "io/tls_context.h"

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
      : loop(event_loop), socket(event_loop.context()), handler(source), owner(&server) {}

  std::size_t unsent() const { return out.size() - out_sent; }

  EventLoop& loop;
  boost::asio::posix::stream_descriptor socket;
  TcpHandler& handler;
  ConnectionOwner* owner;             // Null once closed.
  std::unique_ptr<TlsSession> tls{};  // Null: plain text.
  PeerAddress peer{};
  std::uint16_t local_port = 0;
  std::size_t receive_buffer = 0;  // What SO_RCVBUF was set to.
  std::string hostname{};
  std::string error{};

  std::string out{};         // Written and not sent yet: [out_sent, end).
  std::size_t out_sent = 0;  // Bytes of `out` that are gone.

  bool open = true;
  bool greeted = false;    // on_open() has run.
  bool paused = false;     // By the source.
  bool ended = false;      // read() has said kEnd or kError.
  bool finishing = false;  // Close once `out` is empty and the peer has closed.
  bool shut = false;       // Our side of the connection is shut down.
  bool over_limit = false;
  bool read_armed = false;  // A wait is under way, or on_readable() is due.
  bool write_armed = false;
  bool read_wants_write = false;  // TLS can only read on after it has written.
};

}  // namespace millrace
