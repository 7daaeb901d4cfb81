#include "io/tcp_server.h"

#include <thread>
#include <utility>

#include "io/sockets.h"
#include "io/tcp_acceptor.h"
#include "io/tcp_connections.h"
#include "io/tcp_limits.h"

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kDrainCheck{2};
constexpr int kQuietChecks = 5;  // So many in a row without a byte: nothing is coming.

}  // namespace

// Threads: the loop's, once started.
struct TcpServer::State {
  State(EventLoop& event_loop, TcpServerOptions server_options, TcpHandler& handler)
      : loop(event_loop),
        options(std::move(server_options)),
        connections(loop, options, handler),
        acceptor(std::make_shared<TcpAcceptor>(loop, options.component)) {}

  void start() {
    hook = loop.add_turn_hook([this] { connections.end_turn(); });
    acceptor->start([this](Descriptor socket, const sockaddr_storage& address) {
      connections.admit(std::move(socket), address, acceptor->port());
    });
  }
  void close() {
    acceptor->close();
    connections.close_all();
    loop.remove_turn_hook(hook);
  }

  EventLoop& loop;
  const TcpServerOptions options;
  TcpConnections connections;
  const std::shared_ptr<TcpAcceptor> acceptor;
  EventLoop::HookId hook = 0;
};

Result<std::unique_ptr<TcpServer>> TcpServer::listen(EventLoop& loop, TcpServerOptions options,
                                                     TcpHandler& handler) {
  Descriptor socket = TRY(listen_on(options.host, options.port, options.receive_buffer));
  auto state = std::make_shared<State>(loop, std::move(options), handler);
  TRY(state->acceptor->open(std::move(socket)));
  loop.run_and_wait([&] { state->start(); });
  return std::unique_ptr<TcpServer>(new TcpServer(std::move(state)));
}

TcpServer::TcpServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

TcpServer::~TcpServer() {
  state_->loop.run_and_wait([this] { state_->close(); });
}

std::uint16_t TcpServer::port() const {
  return state_->acceptor->port();
}

std::size_t TcpServer::open_connections() const {
  return state_->connections.count();
}

void TcpServer::stop_accepting() {
  state_->loop.run_and_wait([this] { state_->acceptor->stop(); });
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
    state_->loop.run_and_wait([&] { dry = state_->connections.are_dry(); });
    quiet = dry ? quiet + 1 : 0;
  }
  return true;
}

void TcpServer::close_all() {
  state_->loop.run_and_wait([this] { state_->connections.close_all(); });
}

void TcpServer::for_each(const std::function<void(TcpConnection&)>& visit) {
  state_->loop.run_and_wait([&] { state_->connections.for_each(visit); });
}

}  // namespace millrace
