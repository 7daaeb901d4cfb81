#include "cli/channel/line_sender.h"

#include <fmt/core.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "cli/address.h"

namespace millrace {
namespace {

constexpr std::size_t kSendBytes = 64 * 1024;

Error socket_error(std::string_view what, const LineSender::Options& options) {
  if (errno == EAGAIN || errno == EWOULDBLOCK) {
    return transient(fmt::format("{} for {} s: is it a netcat source, with ack-every-event?", what,
                                 options.patience.count()));
  }
  return transient(fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

LineSender::LineSender(Descriptor socket, const Options& options)
    : socket_(std::move(socket)), options_(options), pause_(options.first_pause) {}

Result<LineSender> LineSender::connect(const std::string& host, const std::string& port,
                                       const Options& options) {
  const SocketAddress to = TRY(resolve(host, port));
  Descriptor socket(::socket(to.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{options.patience.count(), 0};
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* address = reinterpret_cast<const sockaddr*>(&to.address);
  if (::connect(socket.get(), address, to.bytes) != 0) {
    return system_error("cannot connect to " + host + ":" + port, errno);
  }
  return LineSender(std::move(socket), options);
}

Result<> LineSender::send(std::string_view line) {
  out_.append(line);
  out_ += '\n';
  open_.emplace_back(line);
  if (out_.size() >= kSendBytes || open_.size() >= options_.window) {
    TRY(flush());
  }
  while (open_.size() >= options_.window) {
    TRY(read_answers());
  }
  return {};
}

Result<> LineSender::finish() {
  TRY(flush());
  while (!open_.empty()) {
    TRY(read_answers());
  }
  return {};
}

Result<> LineSender::flush() {
  std::string_view rest = out_;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return socket_error("cannot send", options_);
    }
    rest.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  }
  out_.clear();
  return {};
}

// At least one answer, unless a line has to go out again.
Result<> LineSender::read_answers() {
  TRY(flush());
  char space[16 * 1024];
  const ssize_t got = ::recv(socket_.get(), space, sizeof space, 0);
  if (got < 0 && errno == EINTR) {
    return {};
  }
  if (got < 0) {
    return socket_error("no answer", options_);
  }
  if (got == 0) {
    return transient("the peer closed the connection");
  }
  half_answer_.append(space, static_cast<std::size_t>(got));
  std::size_t from = 0;
  for (std::size_t end; (end = half_answer_.find('\n', from)) != std::string::npos;) {
    TRY(take_answer(std::string_view(half_answer_).substr(from, end - from)));
    from = end + 1;
  }
  half_answer_.erase(0, from);
  return {};
}

Result<> LineSender::take_answer(std::string_view answer) {
  if (open_.empty()) {
    return transient("the peer says more than was asked: " + std::string(answer.substr(0, 200)));
  }
  std::string line = std::move(open_.front());
  open_.pop_front();
  if (answer == "OK" || answer == "OK\r") {
    ++answered_;
    pause_ = options_.first_pause;
    return {};
  }
  if (!answer.starts_with("FAILED") || answer.starts_with("FAILED: Event exceeds")) {
    return rejected("the peer answered: " + std::string(answer.substr(0, 200)));
  }
  ++refused_;
  std::this_thread::sleep_for(pause_);
  pause_ = std::min(pause_ * 2, options_.last_pause);
  out_ += line + "\n";
  open_.push_back(std::move(line));
  return {};
}

}  // namespace millrace
