#include "io/udp_receiver.h"

#include <linux/sock_diag.h>
#include <poll.h>

#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "base/log.h"
#include "io/sockets.h"

namespace millrace {
namespace {

constexpr std::size_t kDatagramBytes = 64 * 1024;  // The largest has 65,527.
constexpr int kMostReads = 16;                     // In a turn, before the others get theirs.
constexpr std::chrono::milliseconds kDrainCheck{1};

// As much as was asked for where the process may, else as much as net.core.rmem_max allows.
void set_receive_buffer(int socket, std::size_t bytes) {
  const int wanted = static_cast<int>(bytes);
  if (bytes > 0 && ::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) != 0) {
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
  }
}

}  // namespace

struct UdpReceiver::State : std::enable_shared_from_this<State> {
  State(EventLoop& loop_in, UdpReceiverOptions options_in, UdpHandler& handler_in)
      : loop(loop_in), options(std::move(options_in)), handler(handler_in), socket(loop.context()) {
    for (std::size_t i = 0; i < kMostAtOnce; ++i) {
      pieces[i] = {buffers.get() + i * kDatagramBytes, kDatagramBytes};
    }
  }

  void arm();
  void read_ready();
  // How many datagrams came.
  std::size_t read_once();
  bool is_dry();

  EventLoop& loop;
  const UdpReceiverOptions options;
  UdpHandler& handler;
  boost::asio::posix::stream_descriptor socket;
  std::uint16_t port = 0;
  bool waits_for_resume = true;
  bool is_failing = false;
  // Pages that no datagram reaches are never touched.
  std::unique_ptr<char[]> buffers =
      std::make_unique_for_overwrite<char[]>(kMostAtOnce * kDatagramBytes);
  std::array<iovec, kMostAtOnce> pieces{};
  std::array<sockaddr_storage, kMostAtOnce> peers{};
  std::array<mmsghdr, kMostAtOnce> messages{};
  std::array<Datagram, kMostAtOnce> datagrams{};
};

void UdpReceiver::State::arm() {
  socket.async_wait(boost::asio::posix::descriptor_base::wait_read,
                    [self = shared_from_this()](const boost::system::error_code& error) {
                      if (!error) {
                        self->read_ready();
                      }
                    });
}

void UdpReceiver::State::read_ready() {
  for (int i = 0; i < kMostReads && socket.is_open(); ++i) {
    if (!handler.wants_datagrams()) {
      waits_for_resume = true;
      return;
    }
    const std::size_t count = read_once();
    if (count > 0) {
      handler.on_datagrams({datagrams.data(), count});
    }
    if (count < kMostAtOnce) {
      break;
    }
  }
  if (socket.is_open()) {
    arm();
  }
}

std::size_t UdpReceiver::State::read_once() {
  for (std::size_t i = 0; i < kMostAtOnce; ++i) {
    messages[i] = {};
    messages[i].msg_hdr.msg_name = &peers[i];
    messages[i].msg_hdr.msg_namelen = sizeof peers[i];
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  const int count =
      ::recvmmsg(socket.native_handle(), messages.data(), kMostAtOnce, MSG_DONTWAIT, nullptr);
  if (count < 0) {
    if (errno != EAGAIN && errno != EINTR && !std::exchange(is_failing, true)) {
      log_warning(options.component, "port {}: {}", port, std::strerror(errno));
    }
    return 0;
  }
  is_failing = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    datagrams[i] = {{static_cast<const char*>(pieces[i].iov_base), messages[i].msg_len}, &peers[i]};
  }
  return static_cast<std::size_t>(count);
}

bool UdpReceiver::State::is_dry() {
  pollfd poll{socket.native_handle(), POLLIN, 0};
  return ::poll(&poll, 1, 0) <= 0;
}

Result<std::unique_ptr<UdpReceiver>> UdpReceiver::open(EventLoop& loop, UdpReceiverOptions options,
                                                       UdpHandler& handler) {
  Descriptor socket = TRY(bind_datagrams(options.host, options.port));
  set_receive_buffer(socket.get(), options.receive_buffer);
  auto state = std::make_shared<State>(loop, std::move(options), handler);
  boost::system::error_code error;
  state->socket.assign(socket.get(), error);
  if (error) {
    return transient("watching the socket: " + error.message());
  }
  state->port = local_port_of(socket.release());
  return std::unique_ptr<UdpReceiver>(new UdpReceiver(std::move(state)));
}

UdpReceiver::UdpReceiver(std::shared_ptr<State> state) : state_(std::move(state)) {}

UdpReceiver::~UdpReceiver() {
  state_->loop.run_and_wait([this] {
    boost::system::error_code ignored;
    state_->socket.close(ignored);
  });
}

std::uint16_t UdpReceiver::port() const {
  return state_->port;
}

std::size_t UdpReceiver::granted_buffer() const {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  ::getsockopt(state_->socket.native_handle(), SOL_SOCKET, SO_RCVBUF, &bytes, &size);
  return static_cast<std::size_t>(bytes) / 2;  // The kernel doubles it for its own use.
}

void UdpReceiver::resume() {
  if (std::exchange(state_->waits_for_resume, false) && state_->socket.is_open()) {
    state_->arm();
  }
}

bool UdpReceiver::drain(SteadyTime deadline) {
  for (;;) {
    bool dry = false;
    state_->loop.run_and_wait([&] { dry = state_->is_dry(); });
    if (dry || std::chrono::steady_clock::now() >= deadline) {
      return dry;
    }
    std::this_thread::sleep_for(kDrainCheck);
  }
}

std::uint64_t UdpReceiver::dropped() const {
  std::array<std::uint32_t, SK_MEMINFO_VARS> values{};
  socklen_t size = sizeof values;
  ::getsockopt(state_->socket.native_handle(), SOL_SOCKET, SO_MEMINFO, values.data(), &size);
  return values[SK_MEMINFO_DROPS];
}

}  // namespace millrace
