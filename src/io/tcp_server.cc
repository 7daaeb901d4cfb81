#include "io/tcp_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log.h"
#include "io/tcp_connection_parts.h"
#include "io/tcp_limits.h"
#include "io/tcp_socket.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

constexpr int kMostAccepts = 64;           // In a turn, before the others' reads get theirs.
constexpr milliseconds kAcceptRetry{100};  // After accept() had no descriptor or memory.
constexpr milliseconds kDrainCheck{2};
constexpr int kQuietChecks = 5;  // So many in a row without a byte: nothing is coming.

void set_option(int descriptor, int level, int option, int value) {
  ::setsockopt(descriptor, level, option, &value, sizeof value);
}

std::size_t current_share() {
  return receive_buffer_share(tcp_counters().open.value(), tcp_memory_allowance());
}

}  // namespace

// Threads: the loop's, but for open_count.
struct TcpServer::State final : ConnectionOwner, std::enable_shared_from_this<State> {
  State(EventLoop& event_loop, TcpServerOptions server_options, TcpHandler& source)
      : loop(event_loop),
        options(std::move(server_options)),
        handler(source),
        listener(event_loop.context()) {}

  void start();
  void arm_accept();
  void accept_ready(int most);
  bool accept_one();
  void accept_failed(int number);
  void admit(Descriptor socket, const sockaddr_storage& address);
  std::shared_ptr<TcpConnection> make_connection(Descriptor socket);
  void limit_handshake(const std::shared_ptr<TcpConnection>& connection);
  void end_turn();
  static void set_receive_buffer(TcpConnection::Parts& parts, std::size_t bytes);
  void lower_receive_buffers();
  void stop_accepting();
  void close_connections();
  bool is_dry() const;

  void arm_after_turn(std::shared_ptr<TcpConnection> connection) override {
    to_arm.push_back(std::move(connection));
  }
  void forget(TcpConnection& connection) override;

  EventLoop& loop;
  const TcpServerOptions options;
  TcpHandler& handler;
  boost::asio::posix::stream_descriptor listener;
  std::uint16_t port = 0;
  EventLoop::HookId hook = 0;
  bool accept_is_failing = false;
  std::size_t share = 0;  // SO_RCVBUF of the latest connections.
  std::unordered_map<const TcpConnection*, std::shared_ptr<TcpConnection>> connections;
  std::vector<std::shared_ptr<TcpConnection>> to_arm;
  std::vector<std::shared_ptr<TcpConnection>> arming;  // Kept for its memory.
  std::atomic<std::size_t> open_count{0};
};

Result<std::unique_ptr<TcpServer>> TcpServer::listen(EventLoop& loop, TcpServerOptions options,
                                                     TcpHandler& handler) {
  const std::size_t buffer = options.receive_buffer > 0
                                 ? options.receive_buffer
                                 : receive_buffer_share(1, tcp_memory_allowance());
  Descriptor socket = TRY(listen_on(options.host, options.port, static_cast<int>(buffer)));
  auto state = std::make_shared<State>(loop, std::move(options), handler);
  state->port = local_port_of(socket.get());
  boost::system::error_code error;
  state->listener.assign(socket.get(), error);
  if (error) {
    return transient("watching the listening socket: " + error.message());
  }
  static_cast<void>(socket.release());  // The listener's now.
  loop.run_and_wait([&] { state->start(); });
  return std::unique_ptr<TcpServer>(new TcpServer(std::move(state)));
}

TcpServer::TcpServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

TcpServer::~TcpServer() {
  state_->loop.run_and_wait([this] {
    boost::system::error_code ignored;
    state_->listener.close(ignored);
    state_->close_connections();
    state_->loop.remove_turn_hook(state_->hook);
  });
}

std::uint16_t TcpServer::port() const {
  return state_->port;
}

std::size_t TcpServer::open_connections() const {
  return state_->open_count.load(std::memory_order_relaxed);
}

void TcpServer::stop_accepting() {
  state_->loop.run_and_wait([this] { state_->stop_accepting(); });
}

bool TcpServer::drain(SteadyTime deadline) {
  stop_accepting();
  int quiet = 0;
  while (quiet < kQuietChecks) {
    if (std::chrono::steady_clock::now() >= deadline) {
      return false;
    }
    std::this_thread::sleep_for(kDrainCheck);
    bool dry = false;
    state_->loop.run_and_wait([&] { dry = state_->is_dry(); });
    quiet = dry ? quiet + 1 : 0;
  }
  return true;
}

void TcpServer::close_all() {
  state_->loop.run_and_wait([this] { state_->close_connections(); });
}

void TcpServer::for_each(const std::function<void(TcpConnection&)>& visit) {
  state_->loop.run_and_wait([&] {
    std::vector<std::shared_ptr<TcpConnection>> all;  // A visit may close one.
    for (const auto& entry : state_->connections) {
      if (entry.second->parts_->greeted) {
        all.push_back(entry.second);
      }
    }
    for (const auto& connection : all) {
      visit(*connection);
    }
  });
}

void TcpServer::State::start() {
  hook = loop.add_turn_hook([this] { end_turn(); });
  arm_accept();
}

void TcpServer::State::arm_accept() {
  listener.async_wait(boost::asio::posix::descriptor_base::wait_read,
                      [self = shared_from_this()](const boost::system::error_code& error) {
                        if (!error) {
                          self->accept_ready(kMostAccepts);
                        }
                      });
}

void TcpServer::State::accept_ready(int most) {
  if (!listener.is_open()) {
    return;
  }
  for (int i = 0; i < most; ++i) {
    if (!accept_one()) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) {
        accept_failed(errno);
        return;
      }
      break;
    }
  }
  arm_accept();
}

// False, and errno, when no connection was there to take, or none could be taken.
bool TcpServer::State::accept_one() {
  for (;;) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    Descriptor socket(::accept4(listener.native_handle(), reinterpret_cast<sockaddr*>(&address),
                                &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket) {
      accept_is_failing = false;
      admit(std::move(socket), address);
      return true;
    }
    if (errno != EINTR && errno != ECONNABORTED && errno != EPROTO) {
      return false;
    }
  }
}

// The clients wait in the kernel's queue meanwhile.
void TcpServer::State::accept_failed(int number) {
  tcp_counters().accept_failures.add();
  if (!std::exchange(accept_is_failing, true)) {
    log_warning(options.component,
                "cannot accept connections on port {}: {}; trying again every {} ms", port,
                std::strerror(number), kAcceptRetry.count());
  }
  loop.post_after(kAcceptRetry, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) {
      self->accept_ready(kMostAccepts);
    }
  });
}

void TcpServer::State::admit(Descriptor socket, const sockaddr_storage& address) {
  const std::shared_ptr<TcpConnection> connection = make_connection(std::move(socket));
  if (!connection) {
    tcp_counters().accept_failures.add();
    return;
  }
  connection->parts_->peer = address_of(address);
  connection->parts_->local_port = port;
  connections.emplace(connection.get(), connection);
  open_count.fetch_add(1, std::memory_order_relaxed);
  tcp_counters().open.add();
  lower_receive_buffers();
  set_receive_buffer(*connection->parts_, share);
  if (options.tls) {
    limit_handshake(connection);
  }
  connection->start();
}

// Null when OpenSSL or the event loop has no room for it.
std::shared_ptr<TcpConnection> TcpServer::State::make_connection(Descriptor socket) {
  const int number = socket.get();
  set_option(number, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(number, SOL_SOCKET, SO_KEEPALIVE, 1);
  auto parts = std::make_unique<TcpConnection::Parts>(loop, handler, *this);
  if (options.tls) {
    parts->tls = options.tls->open_session(number);
    if (!parts->tls) {
      return nullptr;
    }
  }
  boost::system::error_code error;
  parts->socket.assign(number, error);
  if (error) {
    return nullptr;
  }
  static_cast<void>(socket.release());  // The connection's now.
  return std::shared_ptr<TcpConnection>(new TcpConnection(std::move(parts)));
}

void TcpServer::State::limit_handshake(const std::shared_ptr<TcpConnection>& connection) {
  loop.post_after(options.handshake_timeout, [weak = std::weak_ptr<TcpConnection>(connection)] {
    const auto found = weak.lock();
    if (found && found->is_open() && !found->parts_->greeted) {
      found->fail_handshake("no TLS handshake in time");
    }
  });
}

void TcpServer::State::set_receive_buffer(TcpConnection::Parts& parts, std::size_t bytes) {
  set_option(parts.socket.native_handle(), SOL_SOCKET, SO_RCVBUF, static_cast<int>(bytes));
  parts.receive_buffer = bytes;
}

void TcpServer::State::end_turn() {
  arming.swap(to_arm);
  for (const auto& connection : arming) {
    connection->arm_read();
  }
  arming.clear();
  lower_receive_buffers();
}

// The connections of other servers count too, so the share may have changed since the last turn.
void TcpServer::State::lower_receive_buffers() {
  const std::size_t wanted = options.receive_buffer > 0 ? options.receive_buffer : current_share();
  if (wanted < share) {
    for (const auto& entry : connections) {
      TcpConnection::Parts& parts = *entry.second->parts_;
      if (parts.receive_buffer > wanted) {
        set_receive_buffer(parts, wanted);
      }
    }
  }
  share = wanted;
}

void TcpServer::State::stop_accepting() {
  if (!listener.is_open()) {
    return;
  }
  // Who is in the kernel's queue has sent already, for all he knows: take him in.
  while (accept_one()) {
  }
  boost::system::error_code ignored;
  listener.close(ignored);
}

void TcpServer::State::close_connections() {
  while (!connections.empty()) {
    const auto connection = connections.begin()->second;
    connection->close();
  }
}

bool TcpServer::State::is_dry() const {
  for (const auto& entry : connections) {
    if (entry.second->holds_unread()) {
      return false;
    }
  }
  return true;
}

void TcpServer::State::forget(TcpConnection& connection) {
  connections.erase(&connection);
  open_count.fetch_sub(1, std::memory_order_relaxed);
  tcp_counters().open.subtract();
}

}  // namespace millrace
