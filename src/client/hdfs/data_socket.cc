#include "client/hdfs/data_socket.h"

#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>
#include <utility>

#include "client/hdfs/proto_wire.h"

namespace millrace::hdfs {
namespace {

constexpr std::chrono::milliseconds kLookUp{100};  // How soon a wait sees that all was closed.

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status != 0) {
    return transient(fmt::format("host \"{}\": {}", host, ::gai_strerror(status)));
  }
  return Addresses(found, &::freeaddrinfo);
}

// Whether the socket came to an event; an error of it is one.
Result<bool> came(int descriptor, int events, Patience patience) {
  for (;;) {
    if (patience.is_closed()) {
      return millrace::closed("the file system was closed");
    }
    const auto now = std::chrono::steady_clock::now();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::min<SteadyTime::duration>(std::max(patience.until, now) - now, kLookUp));
    pollfd waiting{descriptor, static_cast<short>(events), 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return system_error("poll", errno);
    }
    if (patience.over()) {
      return false;
    }
  }
}

Result<Descriptor> connect_to(const addrinfo& address, Patience patience) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) {
    return system_error("socket", errno);
  }
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) {
    return socket;
  }
  if (errno != EINPROGRESS) {
    return system_error("connect", errno);
  }
  if (!TRY(came(socket.get(), POLLOUT, patience))) {
    return system_error("connect", ETIMEDOUT);
  }
  int error_number = 0;
  socklen_t size = sizeof error_number;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error_number, &size);
  if (error_number != 0) {
    return system_error("connect", error_number);
  }
  return socket;
}

}  // namespace

Patience Patience::within(std::chrono::milliseconds limit) const {
  if (limit.count() == 0) {
    return *this;
  }
  return {std::min(until, std::chrono::steady_clock::now() + limit), closed};
}

Result<> Patience::pause(std::chrono::milliseconds length) const {
  const Patience end = within(length);
  while (!end.over()) {
    if (is_closed()) {
      return millrace::closed("the file system was closed");
    }
    const auto left = end.until - std::chrono::steady_clock::now();
    std::this_thread::sleep_for(
        std::clamp<SteadyTime::duration>(left, SteadyTime::duration(0), kLookUp));
  }
  return over() ? Result<>(system_error("time is up", ETIMEDOUT)) : Result<>();
}

Result<DataSocket> DataSocket::connect(std::string_view server, const std::string& host,
                                       std::uint16_t port, Patience patience) {
  DataSocket made;
  made.server_ = server;
  made.peer_ = fmt::format("{}:{}", host, port);
  const Addresses addresses = TRY(resolve(host, port));
  Result<Descriptor> socket = transient("no address");
  for (const addrinfo* at = addresses.get(); at != nullptr && !socket.ok(); at = at->ai_next) {
    socket = connect_to(*at, patience);
  }
  made.socket_ = TRY(std::move(socket).with(fmt::format("{} {}", server, made.peer_)));
  return made;
}

DataSocket DataSocket::adopt(Descriptor socket, std::string peer) {
  DataSocket made;
  made.socket_ = std::move(socket);
  made.peer_ = std::move(peer);
  return made;
}

Error DataSocket::failed(std::string_view what, int error_number) const {
  return system_error(fmt::format("{} {}: {}", server_, peer_, what), error_number);
}

Result<std::size_t> DataSocket::send_some(std::span<const iovec> pieces) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = pieces.size();
  for (;;) {
    const ssize_t count = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return std::size_t{0};
    }
    if (errno != EINTR) {
      return failed("send", errno);
    }
  }
}

Result<> DataSocket::send_all(std::string_view bytes, Patience patience) {
  while (!bytes.empty()) {
    const iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
    const std::size_t count = TRY(send_some({&piece, 1}));
    bytes.remove_prefix(count);
    if (count == 0) {
      TRY(wait(true, patience));
    }
  }
  return {};
}

Result<std::size_t> DataSocket::receive_some(std::span<char> space) {
  for (;;) {
    const ssize_t count = ::recv(socket_.get(), space.data(), space.size(), 0);
    if (count > 0) {
      return static_cast<std::size_t>(count);
    }
    if (count == 0) {
      return failed("ended the connection", ECONNRESET);
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return std::size_t{0};
    }
    if (errno != EINTR) {
      return failed("receive", errno);
    }
  }
}

Result<> DataSocket::receive_all(std::span<char> space, Patience patience) {
  while (!space.empty()) {
    const std::size_t count = TRY(receive_some(space));
    space = space.subspan(count);
    if (count == 0) {
      TRY(wait(false, patience));
    }
  }
  return {};
}

Result<std::string> DataSocket::receive_message(std::size_t most, Patience patience) {
  std::string length_bytes;  // Byte for byte: what follows the message is not ours to take.
  do {
    length_bytes.push_back(0);
    TRY(receive_all({&length_bytes.back(), 1}, patience));
  } while ((length_bytes.back() & 0x80) != 0 && length_bytes.size() < kMostVarintBytes);
  ByteReader in(length_bytes);
  const std::uint64_t length = TRY(read_varint(in));
  if (length > most) {
    return corrupt(fmt::format("{} {}: an answer of {} bytes", server_, peer_, length));
  }
  std::string message(length, '\0');
  TRY(receive_all(message, patience));
  return message;
}

void DataSocket::shut_down() {
  ::shutdown(socket_.get(), SHUT_RDWR);
}

Result<> DataSocket::wait(bool writable, Patience patience) {
  if (!TRY(came(socket_.get(), writable ? POLLIN | POLLOUT : POLLIN, patience))) {
    return failed("no answer", ETIMEDOUT);
  }
  return {};
}

}  // namespace millrace::hdfs
