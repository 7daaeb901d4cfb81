#include "cli/hammer/connection.h"

#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace millrace {
namespace {

constexpr std::size_t kMostAnswerBytes = 4096;  // Of one line; the rest of a longer one is dropped.

std::string text_of(int error_number) {
  return std::strerror(error_number);
}

}  // namespace

Connection::Connection(Flow& flow, const ConnectionPlan& plan, int epoll)
    : flow_(flow), plan_(plan), epoll_(epoll), pause_(plan.first_back_off) {}

Connection::~Connection() {
  close_socket();
}

void Connection::open_when_due(SteadyTime now) {
  if (state_ != State::kDown || now < not_before_) {
    return;
  }
  socket_ = ::socket(plan_.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) {
    lose("socket: " + text_of(errno), now);
    return;
  }
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (plan_.send_buffer_bytes > 0) {
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &plan_.send_buffer_bytes, sizeof(int));
  }
  epoll_event interest{};
  interest.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  interest.data.ptr = this;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket_, &interest);
  state_ = State::kConnecting;
  const auto* address = reinterpret_cast<const sockaddr*>(&plan_.address);
  if (::connect(socket_, address, plan_.address_bytes) == 0) {
    on_connected(now);
  } else if (errno != EINPROGRESS) {
    lose("connect: " + text_of(errno), now);
  }
}

void Connection::on_connected(SteadyTime now) {
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    lose("connect: " + text_of(error), now);
    return;
  }
  state_ = State::kUp;
  writable_ = true;
}

void Connection::on_events(std::uint32_t events, SteadyTime now) {
  if (state_ == State::kConnecting && (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
    on_connected(now);
  }
  if ((events & EPOLLOUT) != 0) {
    writable_ = true;
  }
  if (socket_ >= 0 && (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
    read_answers(now);
  }
}

bool Connection::may_write(SteadyTime now) const {
  return state_ == State::kUp && writable_ && now >= not_before_;
}

std::uint64_t Connection::write(std::uint64_t most, SteadyTime now) {
  if (!may_write(now) || !write_tail(now)) {
    return 0;
  }
  if (plan_.answered) {
    most = std::min(most, plan_.window - std::min(plan_.window, window_.size()));
  }
  const std::optional<Flow::Lines> lines = most == 0 ? std::nullopt : flow_.next(most);
  if (!lines) {
    return 0;
  }
  const std::int64_t sent = send_some(lines->bytes, now);
  if (sent <= 0) {
    return 0;
  }
  const std::size_t line_bytes = flow_.line_bytes();
  NumberRange taken = lines->numbers;
  taken.count = (static_cast<std::uint64_t>(sent) + line_bytes - 1) / line_bytes;
  keep_tail(*lines, static_cast<std::size_t>(sent));
  if (plan_.answered) {
    window_.sent(taken);
  }
  flow_.took(taken);
  return taken.count;
}

// A line that went out in part ends before another begins.
bool Connection::write_tail(SteadyTime now) {
  if (tail_.empty()) {
    return true;
  }
  const std::int64_t sent = send_some(tail_, now);
  if (sent > 0) {
    tail_.erase(0, static_cast<std::size_t>(sent));
  }
  return sent > 0 && tail_.empty();
}

// Bytes that the kernel took, 0 when it is full, -1 when the connection was lost.
std::int64_t Connection::send_some(std::string_view bytes, SteadyTime now) {
  const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    lose("send: " + text_of(errno), now);
    return -1;
  }
  if (sent < static_cast<ssize_t>(bytes.size())) {
    writable_ = false;
  }
  if (sent > 0 && !plan_.answered) {
    moved_ += static_cast<std::uint64_t>(sent);
  }
  return sent < 0 ? 0 : sent;
}

void Connection::keep_tail(const Flow::Lines& lines, std::size_t sent) {
  const std::size_t line_bytes = flow_.line_bytes();
  const std::size_t torn = sent % line_bytes;
  if (torn == 0) {
    return;
  }
  tail_ = lines.bytes.substr(sent, line_bytes - torn);
  torn_ = {lines.numbers.first + sent / line_bytes, 1, lines.numbers.copy};
}

void Connection::read_answers(SteadyTime now) {
  char space[16 * 1024];
  for (;;) {
    const ssize_t got = ::recv(socket_, space, sizeof space, 0);
    if (got <= 0) {
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
      }
      on_end(got == 0, got == 0 ? "the peer closed it" : "recv: " + text_of(errno), now);
      return;
    }
    if (!plan_.answered) {
      continue;
    }
    half_answer_.append(space, static_cast<std::size_t>(got));
    std::size_t from = 0;
    for (std::size_t end; (end = half_answer_.find('\n', from)) != std::string::npos;) {
      on_answer(std::string_view(half_answer_).substr(from, end - from), now);
      from = end + 1;
    }
    half_answer_.erase(0, from);
    half_answer_.resize(std::min(half_answer_.size(), kMostAnswerBytes));
  }
}

void Connection::on_answer(std::string_view line, SteadyTime now) {
  if (line == "OK" || line == "OK\r") {
    const std::uint64_t count = window_.answered(1);
    flow_.counts().acknowledged.fetch_add(count, std::memory_order_relaxed);
    moved_ += count;
    pause_ = plan_.first_back_off;
    return;
  }
  trouble_ = "the peer answered: " + std::string(line.substr(0, 200));
  if (line.starts_with("FAILED")) {
    ++moved_;  // The peer is at work; its channel will have room again.
  }
  const NumberRange refused = window_.take_front();
  if (refused.count > 0) {
    flow_.counts().refused.fetch_add(1, std::memory_order_relaxed);
    flow_.send_again(refused);
    back_off(now);
  }
}

void Connection::on_end(bool orderly, const std::string& why, SteadyTime now) {
  if (orderly && state_ == State::kFinishing) {
    close_socket();
    state_ = State::kClosed;  // The peer read to our end before it ended its own.
    return;
  }
  lose(why, now);
}

// Its lines go out again, on whichever connection is next: at once where that is another one.
void Connection::lose(const std::string& why, SteadyTime now) {
  close_socket();
  trouble_ = why;
  if (state_ == State::kUp || state_ == State::kFinishing) {
    flow_.counts().broken.fetch_add(1, std::memory_order_relaxed);
  }
  state_ = state_ == State::kFinishing ? State::kClosed : State::kDown;
  for (const NumberRange& range : window_.take_all()) {
    flow_.send_again(range);
  }
  if (!plan_.answered && !tail_.empty()) {
    flow_.send_again(torn_);
  }
  tail_.clear();
  half_answer_.clear();
  back_off(now);
}

void Connection::back_off(SteadyTime now) {
  if (now < not_before_) {
    return;  // Several lines refused at a time count once.
  }
  not_before_ = now + pause_;
  pause_ = std::min(pause_ * 2, plan_.last_back_off);
}

void Connection::finish() {
  if (state_ == State::kUp) {
    ::shutdown(socket_, SHUT_WR);
    state_ = State::kFinishing;
  } else if (state_ != State::kFinishing) {
    close_socket();
    state_ = State::kClosed;
  }
}

void Connection::close_socket() {
  if (socket_ >= 0) {
    ::close(socket_);  // Leaves the epoll instance by that.
  }
  socket_ = -1;
  writable_ = false;
}

std::vector<NumberRange> Connection::open_numbers() const {
  std::vector<NumberRange> open(window_.ranges().begin(), window_.ranges().end());
  if (!plan_.answered && !tail_.empty()) {
    open.push_back(torn_);
  }
  return open;
}

std::uint64_t Connection::progress() const {
  int unsent = 0;
  if (state_ == State::kFinishing) {
    ::ioctl(socket_, SIOCOUTQ, &unsent);
  }
  return moved_ - static_cast<std::uint64_t>(unsent);
}

}  // namespace millrace
