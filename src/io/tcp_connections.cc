#include "io/tcp_connections.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <utility>

#include "io/sockets.h"
#include "io/tcp_limits.h"

namespace millrace {
namespace {

void set_option(int descriptor, int level, int option, int value) {
  ::setsockopt(descriptor, level, option, &value, sizeof value);
}

std::size_t current_share() {
  return receive_buffer_share(tcp_counters().open.value(), tcp_memory_allowance(),
                              tcp_largest_receive_buffer());
}

}  // namespace

void TcpConnections::admit(Descriptor socket, const sockaddr_storage& address, std::uint16_t port) {
  const std::shared_ptr<TcpConnection> connection = make_connection(std::move(socket));
  if (!connection) {
    tcp_counters().accept_failures.add();
    return;
  }
  connection->parts_->peer = address_of(address);
  connection->parts_->local_port = port;
  connections_.emplace(connection.get(), connection);
  count_.fetch_add(1, std::memory_order_relaxed);
  tcp_counters().open.add();
  lower_receive_buffers();
  if (share_ != kLeftToKernel) {
    set_receive_buffer(*connection->parts_, share_);
  }
  if (options_.tls) {
    limit_handshake(connection);
  }
  connection->start();
}

// Null when OpenSSL or the event loop has no room for it.
std::shared_ptr<TcpConnection> TcpConnections::make_connection(Descriptor socket) {
  set_option(socket.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket.get(), SOL_SOCKET, SO_KEEPALIVE, 1);
  std::unique_ptr<TlsSession> tls;
  if (options_.tls) {
    tls = options_.tls->open_session(socket.get());
    if (!tls) {
      return nullptr;
    }
  }
  auto parts = std::make_unique<TcpConnection::Parts>(loop_, handler_, *this);
  if (!parts->stream.open(std::move(socket), std::move(tls))) {
    return nullptr;
  }
  return std::shared_ptr<TcpConnection>(new TcpConnection(std::move(parts)));
}

void TcpConnections::limit_handshake(const std::shared_ptr<TcpConnection>& connection) {
  loop_.post_after(options_.handshake_timeout, [weak = std::weak_ptr<TcpConnection>(connection)] {
    const auto found = weak.lock();
    if (found && found->is_open() && !found->parts_->greeted) {
      found->fail_handshake("no TLS handshake in time");
    }
  });
}

void TcpConnections::set_receive_buffer(TcpConnection::Parts& parts, std::size_t bytes) {
  set_option(parts.stream.socket().native_handle(), SOL_SOCKET, SO_RCVBUF, static_cast<int>(bytes));
  parts.receive_buffer = bytes;
}

// The connections of other servers count too, so the share may have changed since the last turn.
void TcpConnections::lower_receive_buffers() {
  const std::size_t wanted =
      options_.receive_buffer > 0 ? options_.receive_buffer : current_share();
  if (wanted < share_) {
    for (const auto& entry : connections_) {
      TcpConnection::Parts& parts = *entry.second->parts_;
      if (parts.receive_buffer > wanted) {
        set_receive_buffer(parts, wanted);
      }
    }
  }
  share_ = wanted;
}

void TcpConnections::end_turn() {
  arming_.swap(to_arm_);
  for (const auto& connection : arming_) {
    connection->arm_read();
  }
  arming_.clear();
  lower_receive_buffers();
}

void TcpConnections::forget(TcpConnection& connection) {
  connections_.erase(&connection);
  count_.fetch_sub(1, std::memory_order_relaxed);
  tcp_counters().open.subtract();
}

void TcpConnections::close_all() {
  while (!connections_.empty()) {
    const auto connection = connections_.begin()->second;
    connection->close();
  }
}

void TcpConnections::for_each(const std::function<void(TcpConnection&)>& visit) {
  std::vector<std::shared_ptr<TcpConnection>> all;  // A visit may close one.
  for (const auto& entry : connections_) {
    if (entry.second->parts_->greeted) {
      all.push_back(entry.second);
    }
  }
  for (const auto& connection : all) {
    visit(*connection);
  }
}

bool TcpConnections::are_dry() const {
  for (const auto& entry : connections_) {
    if (entry.second->holds_unread()) {
      return false;
    }
  }
  return true;
}

}  // namespace millrace
