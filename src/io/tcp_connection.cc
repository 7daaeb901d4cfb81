#include "io/tcp_connection.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "io/tcp_connection_parts.h"
#include "io/tcp_limits.h"
#include "io/tcp_socket.h"

namespace millrace {
namespace {

using boost::asio::posix::descriptor_base;

// Where what a finished connection still sends goes. Shared by all, never looked at.
std::span<char> waste() {
  static thread_local std::array<char, 64 * 1024> bytes;
  return bytes;
}

}  // namespace

TcpConnection::TcpConnection(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TcpConnection::~TcpConnection() = default;

void TcpConnection::set_state(std::unique_ptr<State> state) {
  state_ = std::move(state);
}

void TcpConnection::start() {
  if (parts_->tls) {
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
  const TlsSession::Step step = parts_->tls->handshake();
  parts_->read_wants_write = step == TlsSession::Step::kWantWrite;
  switch (step) {
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
      fail_handshake(parts_->tls->error());
      return;
  }
}

void TcpConnection::fail_handshake(std::string why) {
  tcp_counters().tls_failures.add();
  parts_->error = std::move(why);
  close();
}

void TcpConnection::arm_read() {
  Parts& parts = *parts_;
  const bool held = parts.paused && parts.greeted && !parts.finishing;
  if (!parts.open || parts.read_armed || parts.ended || held) {
    return;
  }
  parts.read_armed = true;
  if (parts.tls && parts.greeted && parts.tls->has_pending()) {
    parts.loop.post([self = shared_from_this()] { self->read_is_ready(); });
    return;
  }
  const auto wait =
      parts.read_wants_write ? descriptor_base::wait_write : descriptor_base::wait_read;
  parts.socket.async_wait(wait, [self = shared_from_this()](const boost::system::error_code&) {
    self->read_is_ready();  // After an error too: read() then says which.
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
  if (!parts_->open || parts_->ended || parts_->finishing) {
    return {ReadStatus::kEnd, 0};
  }
  if (space.empty()) {
    return {ReadStatus::kWouldBlock, 0};
  }
  return parts_->tls ? read_tls(space) : read_plain(space);
}

ReadOutcome TcpConnection::read_plain(std::span<char> space) {
  for (;;) {
    const ssize_t count = ::recv(parts_->socket.native_handle(), space.data(), space.size(), 0);
    if (count > 0) {
      return {ReadStatus::kBytes, static_cast<std::size_t>(count)};
    }
    if (count == 0) {
      parts_->ended = true;
      return {ReadStatus::kEnd, 0};
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return {ReadStatus::kWouldBlock, 0};
    }
    if (errno != EINTR) {
      tcp_counters().resets.add();
      return fail_read(std::strerror(errno));
    }
  }
}

ReadOutcome TcpConnection::read_tls(std::span<char> space) {
  std::size_t count = 0;
  const TlsSession::Step step = parts_->tls->read(space, count);
  parts_->read_wants_write = step == TlsSession::Step::kWantWrite;
  switch (step) {
    case TlsSession::Step::kDone:
      return {ReadStatus::kBytes, count};
    case TlsSession::Step::kWantRead:
    case TlsSession::Step::kWantWrite:
      return {ReadStatus::kWouldBlock, 0};
    case TlsSession::Step::kEnd:
      parts_->ended = true;
      return {ReadStatus::kEnd, 0};
    case TlsSession::Step::kError:
      break;
  }
  tcp_counters().resets.add();
  return fail_read(parts_->tls->error());
}

ReadOutcome TcpConnection::fail_read(std::string why) {
  parts_->ended = true;
  parts_->error = std::move(why);
  return {ReadStatus::kError, 0};
}

void TcpConnection::discard() {
  const ssize_t count = ::recv(parts_->socket.native_handle(), waste().data(), waste().size(), 0);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
    parts_->ended = true;
    if (parts_->unsent() == 0 || count < 0) {
      close();
    }
  }
}

bool TcpConnection::write(std::string_view bytes) {
  Parts& parts = *parts_;
  if (!parts.open || parts.shut) {
    return true;
  }
  if (parts.unsent() == 0) {
    bytes.remove_prefix(send_some(bytes));
  }
  if (!bytes.empty()) {
    parts.out.append(bytes);
    arm_write();
  }
  parts.over_limit = parts.over_limit || parts.unsent() > kWriteLimit;
  return !parts.over_limit;
}

std::size_t TcpConnection::unsent() const {
  return parts_->unsent();
}

std::size_t TcpConnection::send_some(std::string_view bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const std::string_view rest = bytes.substr(sent);
    if (parts_->tls) {
      std::size_t count = 0;
      const TlsSession::Step step = parts_->tls->write(rest, count);
      if (step == TlsSession::Step::kWantWrite) {
        break;
      }
      if (step != TlsSession::Step::kDone) {
        return break_writing(parts_->tls->error(), bytes.size());
      }
      sent += count;
      continue;
    }
    const ssize_t count =
        ::send(parts_->socket.native_handle(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      return break_writing(std::strerror(errno), bytes.size());
    }
  }
  return sent;
}

// The peer takes nothing any more: what is written is dropped. Reading finds the end by itself.
std::size_t TcpConnection::break_writing(std::string why, std::size_t dropped) {
  parts_->error = std::move(why);
  parts_->shut = true;
  return dropped;
}

void TcpConnection::arm_write() {
  if (!parts_->write_armed) {
    parts_->write_armed = true;
    parts_->socket.async_wait(
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
  parts.out_sent += send_some(std::string_view(parts.out).substr(parts.out_sent));
  if (parts.unsent() > 0) {
    if (parts.out_sent > kWriteLimit) {
      parts.out.erase(0, std::exchange(parts.out_sent, 0));
    }
    arm_write();
    return;
  }
  parts.out.clear();
  parts.out_sent = 0;
  if (parts.finishing) {
    shut_down();
  } else if (std::exchange(parts.over_limit, false)) {
    parts.handler.on_drained(*this);
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

void TcpConnection::finish(std::chrono::milliseconds patience) {
  Parts& parts = *parts_;
  if (!parts.open || parts.finishing) {
    return;
  }
  parts.finishing = true;
  if (parts.unsent() == 0) {
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
  parts_->shut = true;
  if (parts_->tls) {
    parts_->tls->close_notify();
  }
  ::shutdown(parts_->socket.native_handle(), SHUT_WR);
  if (parts_->ended) {
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
  if (parts.tls && parts.greeted && !parts.shut) {
    parts.tls->close_notify();
  }
  boost::system::error_code ignored;
  parts.socket.close(ignored);
  parts.out.clear();
  parts.out_sent = 0;
  std::exchange(parts.owner, nullptr)->forget(*this);
  if (parts.greeted) {
    parts.handler.on_closed(*this);
  }
}

bool TcpConnection::is_open() const {
  return parts_->open;
}

bool TcpConnection::holds_unread() const {
  const Parts& parts = *parts_;
  if (!parts.open || !parts.greeted || parts.ended || parts.finishing) {
    return false;
  }
  int waiting = 0;
  const int descriptor = const_cast<Parts&>(parts).socket.native_handle();
  return (parts.tls && parts.tls->has_pending()) ||
         (::ioctl(descriptor, FIONREAD, &waiting) == 0 && waiting > 0);
}

const PeerAddress& TcpConnection::peer() const {
  return parts_->peer;
}

const std::string& TcpConnection::peer_hostname() {
  if (parts_->hostname.empty()) {
    parts_->hostname = hostname_of(parts_->peer.address);
  }
  return parts_->hostname;
}

std::uint16_t TcpConnection::local_port() const {
  return parts_->local_port;
}

const std::string& TcpConnection::last_error() const {
  return parts_->error;
}

}  // namespace millrace
