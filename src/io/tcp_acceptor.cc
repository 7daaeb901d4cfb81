#include "io/tcp_acceptor.h"

#include <fmt/core.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/log.h"
#include "io/open_file_limit.h"
#include "io/sockets.h"
#include "io/tcp_limits.h"

namespace millrace {
namespace {

constexpr int kMostAccepts = 64;                  // In a turn, before the others' reads get theirs.
constexpr std::chrono::milliseconds kRetry{100};  // After accept() had no descriptor or memory.

// What there is to do about it.
std::string advice_for(int number) {
  if (number != EMFILE) {
    return {};
  }
  const std::uint64_t limit = open_file_limit();
  return fmt::format(
      "; {} connections are open, each takes a file, and the limit of open files is {}: twice as "
      "many need {}",
      tcp_counters().open.value(), limit, how_to_allow_open_files(2 * limit));
}

}  // namespace

TcpAcceptor::TcpAcceptor(EventLoop& loop, std::string component)
    : loop_(loop), component_(std::move(component)), listener_(loop.context()) {}

Result<> TcpAcceptor::open(Descriptor listening) {
  boost::system::error_code error;
  listener_.assign(listening.get(), error);
  if (error) {
    return transient("watching the listening socket: " + error.message());
  }
  port_ = local_port_of(listening.release());  // The listener's now.
  return {};
}

void TcpAcceptor::start(Admit admit) {
  admit_ = std::move(admit);
  arm();
}

void TcpAcceptor::arm() {
  listener_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                       [self = shared_from_this()](const boost::system::error_code& error) {
                         if (!error) {
                           self->accept_ready();
                         }
                       });
}

void TcpAcceptor::accept_ready() {
  if (!listener_.is_open()) {
    return;
  }
  for (int i = 0; i < kMostAccepts; ++i) {
    if (few_open_files_left()) {
      accept_failed(EMFILE);
      return;
    }
    if (!accept_one()) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) {
        accept_failed(errno);
        return;
      }
      break;
    }
  }
  arm();
}

// False, and errno, when no connection was there to take, or none could be taken.
bool TcpAcceptor::accept_one() {
  for (;;) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    Descriptor socket(::accept4(listener_.native_handle(), reinterpret_cast<sockaddr*>(&address),
                                &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
      is_failing_ = false;
      admit_(std::move(socket), address);
      return true;
    }
    if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) {
      return false;
    }
  }
}

void TcpAcceptor::accept_failed(int number) {
  tcp_counters().accept_failures.add();
  if (!std::exchange(is_failing_, true)) {
    log_warning(component_, "cannot accept connections on port {}: {}; trying again every {} ms{}",
                port_, std::strerror(number), kRetry.count(), advice_for(number));
  }
  loop_.post_after(kRetry, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) {
      self->accept_ready();
    }
  });
}

void TcpAcceptor::stop() {
  if (!listener_.is_open()) {
    return;
  }
  // Who is in the queue has sent already, for all he knows.
  while (accept_one()) {
  }
  close();
}

void TcpAcceptor::close() {
  boost::system::error_code ignored;
  listener_.close(ignored);
}

}  // namespace millrace
