// One accepted TCP connection, plain or TLS: reads go straight into the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/event_loop.h"

namespace millrace {

class TcpConnection;
class TcpConnections;

enum class ReadStatus {
  kBytes,       // At least one byte was read.
  kWouldBlock,  // Nothing waits now; on_readable() comes when something does.
  kEnd,         // The peer sends no more. Answers may still be written; close() or finish() it.
  kError,       // The connection broke (reset, TLS fault): see last_error(). close() it.
};

struct ReadOutcome {
  ReadStatus status;
  std::size_t bytes;  // Read into the front of the span; 0 unless kBytes.
};

// What a source does with its connections. Threads: the loop's. Any of these may close the
// connection; it is destroyed later, at the end of the turn at the earliest.
class TcpHandler {
 public:
  virtual ~TcpHandler() = default;
  // Accepted, and the TLS handshake is done. Reading is on.
  virtual void on_open(TcpConnection& connection) = 0;
  // Bytes, an end or an error wait for read(). Comes once a turn at most, as long as something
  // waits: one read() is enough, more are allowed.
  virtual void on_readable(TcpConnection& connection) = 0;
  // All that was written has left, after write() had said false.
  virtual void on_drained(TcpConnection& connection) { static_cast<void>(connection); }
  // Once for each on_open(): closed by us, or by finish(), or with the server.
  virtual void on_closed(TcpConnection& connection) { static_cast<void>(connection); }
};

// Where the peer is. Numeric, but for the host name that is looked up on demand.
struct PeerAddress {
  std::string address;  // "192.0.2.7", "2001:db8::1"
  std::uint16_t port = 0;
};

// Threads: the loop's alone. May be kept as a shared_ptr beyond its server: everything then says
// kEnd or does nothing.
class TcpConnection final : public std::enable_shared_from_this<TcpConnection> {
 public:
  static constexpr std::size_t kWriteLimit = 1024 * 1024;  // Bytes waiting for a peer to read.

  // What a source keeps for each connection: derive, set it in on_open().
  struct State {
    virtual ~State() = default;
  };
  void set_state(std::unique_ptr<State> state);
  template <class T>
  T& state() {
    return static_cast<T&>(*state_);
  }

  ~TcpConnection();
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;

  // Reads what waits, as much as `space` takes, without blocking.
  ReadOutcome read(std::span<char> space);

  // Sends `bytes` now as far as the peer takes them, the rest when it does. False when more than
  // kWriteLimit wait: stop making answers until on_drained().
  bool write(std::string_view bytes);
  std::size_t unsent() const;

  // While paused no on_readable() comes: the kernel's buffer fills and TCP stops the peer.
  void pause_reading();
  void resume_reading();
  bool paused() const;

  // Closes at once; what is unsent is dropped.
  void close();
  // Closes when all that was written has left, after `patience` at the latest. Reading is over.
  void finish(std::chrono::milliseconds patience = std::chrono::seconds(5));
  bool is_open() const;

  const PeerAddress& peer() const;
  std::uint16_t local_port() const;
  const std::string& last_error() const;

 private:
  friend class TcpConnections;
  struct Parts;
  explicit TcpConnection(std::unique_ptr<Parts> parts);

  void start();  // Begins the handshake, or says on_open() at once.
  void greet();
  void shake_hands();
  void fail_handshake(std::string why);
  void arm_read();
  void read_is_ready();
  void discard();
  void arm_write();
  void write_is_ready();
  void shut_down();
  bool holds_unread() const;

  std::unique_ptr<Parts> parts_;
  std::unique_ptr<State> state_;
};

}  // namespace millrace
