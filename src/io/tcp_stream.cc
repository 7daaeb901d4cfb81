#include "io/tcp_stream.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "io/tcp_limits.h"

namespace millrace {
namespace {

constexpr std::size_t kMostSent = 1024 * 1024;  // Bytes that are gone and still in the buffer.

// Where what a finished connection still sends goes. Shared by all, never looked at.
std::span<char> waste() {
  static thread_local std::array<char, 64 * 1024> bytes;
  return bytes;
}

}  // namespace

bool TcpStream::open(Descriptor socket, std::unique_ptr<TlsSession> tls) {
  boost::system::error_code error;
  socket_.assign(socket.get(), error);
  if (error) {
    return false;
  }
  static_cast<void>(socket.release());  // The stream's now.
  tls_ = std::move(tls);
  return true;
}

TlsSession::Step TcpStream::shake_hands() {
  const TlsSession::Step step = tls_->handshake();
  read_wants_write_ = step == TlsSession::Step::kWantWrite;
  if (step == TlsSession::Step::kError) {
    error_ = tls_->error();
  }
  return step;
}

ReadOutcome TcpStream::read(std::span<char> space) {
  return tls_ ? read_tls(space) : read_plain(space);
}

ReadOutcome TcpStream::read_plain(std::span<char> space) {
  for (;;) {
    const ssize_t count = ::recv(socket_.native_handle(), space.data(), space.size(), 0);
    if (count > 0) {
      return {ReadStatus::kBytes, static_cast<std::size_t>(count)};
    }
    if (count == 0) {
      ended_ = true;
      return {ReadStatus::kEnd, 0};
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return {ReadStatus::kWouldBlock, 0};
    }
    if (errno != EINTR) {
      return fail_read(std::strerror(errno));
    }
  }
}

ReadOutcome TcpStream::read_tls(std::span<char> space) {
  std::size_t count = 0;
  const TlsSession::Step step = tls_->read(space, count);
  read_wants_write_ = step == TlsSession::Step::kWantWrite;
  switch (step) {
    case TlsSession::Step::kDone:
      return {ReadStatus::kBytes, count};
    case TlsSession::Step::kWantRead:
    case TlsSession::Step::kWantWrite:
      return {ReadStatus::kWouldBlock, 0};
    case TlsSession::Step::kEnd:
      ended_ = true;
      return {ReadStatus::kEnd, 0};
    case TlsSession::Step::kError:
      break;
  }
  return fail_read(tls_->error());
}

ReadOutcome TcpStream::fail_read(std::string why) {
  tcp_counters().resets.add();
  ended_ = true;
  error_ = std::move(why);
  return {ReadStatus::kError, 0};
}

ReadStatus TcpStream::discard() {
  const ssize_t count = ::recv(socket_.native_handle(), waste().data(), waste().size(), 0);
  if (count > 0) {
    return ReadStatus::kBytes;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return ReadStatus::kWouldBlock;
  }
  ended_ = true;
  return count == 0 ? ReadStatus::kEnd : ReadStatus::kError;
}

void TcpStream::write(std::string_view bytes) {
  if (unsent() == 0) {
    bytes.remove_prefix(send(bytes));
  }
  out_.append(bytes);
}

void TcpStream::flush() {
  sent_ += send(std::string_view(out_).substr(sent_));
  if (unsent() == 0) {
    out_.clear();
    sent_ = 0;
  } else if (sent_ > kMostSent) {
    out_.erase(0, std::exchange(sent_, 0));
  }
}

// How many of the bytes are gone.
std::size_t TcpStream::send(std::string_view bytes) {
  return tls_ ? send_tls(bytes) : send_plain(bytes);
}

std::size_t TcpStream::send_plain(std::string_view bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count =
        ::send(socket_.native_handle(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
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

std::size_t TcpStream::send_tls(std::string_view bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    std::size_t count = 0;
    const TlsSession::Step step = tls_->write(bytes.substr(sent), count);
    if (step == TlsSession::Step::kWantWrite) {
      break;
    }
    if (step != TlsSession::Step::kDone) {
      return break_writing(tls_->error(), bytes.size());
    }
    sent += count;
  }
  return sent;
}

// The peer takes nothing any more: what is written is dropped. Reading finds the end by itself.
std::size_t TcpStream::break_writing(std::string why, std::size_t dropped) {
  error_ = std::move(why);
  shut_ = true;
  return dropped;
}

void TcpStream::shut_down() {
  shut_ = true;
  if (tls_) {
    tls_->close_notify();
  }
  ::shutdown(socket_.native_handle(), SHUT_WR);
}

void TcpStream::close(bool notify) {
  if (tls_ && notify && !shut_) {
    tls_->close_notify();
  }
  boost::system::error_code ignored;
  socket_.close(ignored);
  out_.clear();
  sent_ = 0;
}

bool TcpStream::holds_unread() {
  int waiting = 0;
  return has_pending() ||
         (::ioctl(socket_.native_handle(), FIONREAD, &waiting) == 0 && waiting > 0);
}

}  // namespace millrace
