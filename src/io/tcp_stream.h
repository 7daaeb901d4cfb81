// The bytes of an accepted connection, plain or TLS, over a socket that does not block. Included by
// tcp_*.cc alone.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/descriptor.h"
#include "io/tcp_connection.h"
#include "io/tls_context.h"

namespace millrace {

// Nothing here waits or calls back. Threads: the loop's.
class TcpStream {
 public:
  explicit TcpStream(boost::asio::io_context& context) : socket_(context) {}

  // Takes the socket over, with the TLS session on it (null: plain text). False when the event loop
  // has no room for it.
  bool open(Descriptor socket, std::unique_ptr<TlsSession> tls);
  // For waits and options.
  boost::asio::posix::stream_descriptor& socket() { return socket_; }
  bool encrypted() const { return tls_ != nullptr; }

  TlsSession::Step shake_hands();
  // See TcpConnection::read(); `space` is not empty.
  ReadOutcome read(std::span<char> space);
  // Reads and throws away, what is still encrypted as it is.
  ReadStatus discard();
  // Sends as far as the peer takes it; the rest waits for flush().
  void write(std::string_view bytes);
  void flush();
  // Bytes that wait.
  std::size_t unsent() const { return out_.size() - sent_; }
  // Says to the peer that nothing follows.
  void shut_down();
  // At once; what waits is dropped. `notify`: a TLS peer is told.
  void close(bool notify);

  bool ended() const { return ended_; }  // A read has said kEnd or kError.
  bool shut() const { return shut_; }    // Nothing can be sent any more.
  // TLS can only read on after it has written.
  bool read_wants_write() const { return read_wants_write_; }
  // Decrypted bytes that the socket will not announce.
  bool has_pending() const { return tls_ && tls_->has_pending(); }
  bool holds_unread();  // Something waits to be read, decrypted or not.

  const std::string& error() const { return error_; }
  void set_error(std::string why) { error_ = std::move(why); }

 private:
  ReadOutcome read_plain(std::span<char> space);
  ReadOutcome read_tls(std::span<char> space);
  ReadOutcome fail_read(std::string why);
  std::size_t send(std::string_view bytes);
  std::size_t send_plain(std::string_view bytes);
  std::size_t send_tls(std::string_view bytes);
  std::size_t break_writing(std::string why, std::size_t dropped);

  boost::asio::posix::stream_descriptor socket_;
  std::unique_ptr<TlsSession> tls_;
  std::string out_;       // Written and not sent yet: [sent_, end).
  std::size_t sent_ = 0;  // Bytes of `out_` that are gone.
  std::string error_;
  bool ended_ = false;
  bool shut_ = false;
  bool read_wants_write_ = false;
};

}  // namespace millrace
