#include "io/tcp_connection.h"

#include <utility>

#include "io/sockets.h"
#include "io/tcp_connection_parts.h"
#include "io/tcp_limits.h"

namespace millrace {

using boost::asio::posix::descriptor_base;

TcpConnection::TcpConnection(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TcpConnection::~TcpConnection() = default;

void TcpConnection::set_state(std::unique_ptr<State> state) {
  state_ = std::move(state);
}

// ---- Opening ----

void TcpConnection::start() {
  if (parts_->stream.encrypted()) {
    shake_hands();
  } else {
    greet();
  }
}

void TcpConnection::greet() {
  parts_->greeted = true;
  parts_->handler.on_open(*this);
  arm_read();
}

void TcpConnection::shake_hands() {
  switch (parts_->stream.shake_hands()) {
    case TlsSession::Step::kDone:
      greet();
      return;
    case TlsSession::Step::kWantRead:
    case TlsSession::Step::kWantWrite:
      arm_read();
      return;
    case TlsSession::Step::kEnd:
      fail_handshake("the client closed the connection during the TLS handshake");
      return;
    case TlsSession::Step::kError:
      fail_handshake(parts_->stream.error());
      return;
  }
}

void TcpConnection::fail_handshake(std::string why) {
  tcp_counters().tls_failures.add();
  parts_->stream.set_error(std::move(why));
  close();
}

// ---- Reading ----

void TcpConnection::arm_read() {
  Parts& parts = *parts_;
  const bool held = parts.paused && parts.greeted && !parts.finishing;
  if (!parts.open || parts.read_armed || parts.stream.ended() || held) {
    return;
  }
  parts.read_armed = true;
  if (parts.greeted && parts.stream.has_pending()) {
    parts.loop.post([self = shared_from_this()] { self->read_is_ready(); });
    return;
  }
  const auto wait =
      parts.stream.read_wants_write() ? descriptor_base::wait_write : descriptor_base::wait_read;
  parts.stream.socket().async_wait(
      wait, [self = shared_from_this()](const boost::system::error_code&) {
        self->read_is_ready();  // After an error too: read() says which.
      });
}

void TcpConnection::read_is_ready() {
  Parts& parts = *parts_;
  parts.read_armed = false;
  if (!parts.open) {
    return;
  }
  if (!parts.greeted) {
    shake_hands();
  } else if (parts.finishing) {
    discard();
  } else if (!parts.paused) {
    parts.handler.on_readable(*this);
  }
  if (parts.open && parts.greeted && !parts.read_armed && (!parts.paused || parts.finishing)) {
    parts.owner->arm_after_turn(shared_from_this());
  }
}

ReadOutcome TcpConnection::read(std::span<char> space) {
  if (!parts_->open || parts_->stream.ended() || parts_->finishing) {
    return {ReadStatus::kEnd, 0};
  }
  return space.empty() ? ReadOutcome{ReadStatus::kWouldBlock, 0} : parts_->stream.read(space);
}

void TcpConnection::discard() {
  const ReadStatus status = parts_->stream.discard();
  if (status == ReadStatus::kError || (status == ReadStatus::kEnd && unsent() == 0)) {
    close();
  }
}

void TcpConnection::pause_reading() {
  parts_->paused = true;
}

void TcpConnection::resume_reading() {
  parts_->paused = false;
  if (parts_->greeted) {
    arm_read();
  }
}

bool TcpConnection::paused() const {
  return parts_->paused;
}

bool TcpConnection::holds_unread() const {
  Parts& parts = *parts_;
  const bool is_read = parts.open && parts.greeted && !parts.stream.ended() && !parts.finishing;
  return is_read && parts.stream.holds_unread();
}

// ---- Writing ----

bool TcpConnection::write(std::string_view bytes) {
  Parts& parts = *parts_;
  if (!parts.open || parts.stream.shut()) {
    return true;
  }
  parts.stream.write(bytes);
  if (unsent() > 0) {
    arm_write();
  }
  parts.over_limit = parts.over_limit || unsent() > kWriteLimit;
  return !parts.over_limit;
}

std::size_t TcpConnection::unsent() const {
  return parts_->stream.unsent();
}

void TcpConnection::arm_write() {
  if (!parts_->write_armed) {
    parts_->write_armed = true;
    parts_->stream.socket().async_wait(
        descriptor_base::wait_write,
        [self = shared_from_this()](const boost::system::error_code&) { self->write_is_ready(); });
  }
}

void TcpConnection::write_is_ready() {
  Parts& parts = *parts_;
  parts.write_armed = false;
  if (!parts.open) {
    return;
  }
  parts.stream.flush();
  if (unsent() > 0) {
    arm_write();
  } else if (parts.finishing) {
    shut_down();
  } else if (std::exchange(parts.over_limit, false)) {
    parts.handler.on_drained(*this);
  }
}

// ---- Closing ----

void TcpConnection::finish(std::chrono::milliseconds patience) {
  Parts& parts = *parts_;
  if (!parts.open || parts.finishing) {
    return;
  }
  parts.finishing = true;
  if (unsent() == 0) {
    shut_down();
  }
  if (parts.open) {
    // Reads on and throws away: closing with unread bytes would reset the connection, and take our
    // last answer with it.
    arm_read();
    parts.loop.post_after(patience, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) {
        self->close();
      }
    });
  }
}

// All is written: says so to the peer, and closes when it has too.
void TcpConnection::shut_down() {
  parts_->stream.shut_down();
  if (parts_->stream.ended()) {
    close();
  }
}

void TcpConnection::close() {
  Parts& parts = *parts_;
  if (!parts.open) {
    return;
  }
  const auto self = shared_from_this();  // The owner lets go of it below.
  parts.open = false;
  parts.stream.close(parts.greeted);
  std::exchange(parts.owner, nullptr)->forget(*this);
  if (parts.greeted) {
    parts.handler.on_closed(*this);
  }
}

bool TcpConnection::is_open() const {
  return parts_->open;
}

// ---- What it is ----

const PeerAddress& TcpConnection::peer() const {
  return parts_->peer;
}

std::uint16_t TcpConnection::local_port() const {
  return parts_->local_port;
}

const std::string& TcpConnection::last_error() const {
  return parts_->stream.error();
}

}  // namespace millrace
