// A UDP port on an event loop: datagrams come many at a time, and what the kernel threw away is
// counted.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "io/event_loop.h"

namespace millrace {

struct Datagram {
  std::string_view bytes;  // Whole: a buffer holds the largest one that there is.
  const sockaddr_storage* peer = nullptr;
};

// Runs on the loop's thread.
class UdpHandler {
 public:
  virtual ~UdpHandler() = default;
  // False: nothing is read until the next UdpReceiver::resume(); the kernel keeps what its buffer
  // holds and throws away the rest.
  virtual bool wants_datagrams() = 0;
  // What they refer to is gone afterwards.
  virtual void on_datagrams(std::span<const Datagram> datagrams) = 0;
};

struct UdpReceiverOptions {
  std::string component;           // For the log: "source r1".
  std::string host;                // IPv4, IPv6 or a name; empty: every address.
  std::uint16_t port = 0;          // 0: any free one, see UdpReceiver::port().
  std::size_t receive_buffer = 0;  // SO_RCVBUF in bytes; the kernel may grant less.
};

// Threads: open(), drain() and the destructor on the control thread or the loop's; the rest on the
// loop's. The handler outlives it.
class UdpReceiver {
 public:
  static constexpr std::size_t kMostAtOnce = 64;  // Datagrams of one recvmmsg().

  // Reads nothing before the first resume(). kTransient when the port is in use, kConfig when the
  // host or the port cannot be right.
  static Result<std::unique_ptr<UdpReceiver>> open(EventLoop& loop, UdpReceiverOptions options,
                                                   UdpHandler& handler);
  ~UdpReceiver();
  UdpReceiver(const UdpReceiver&) = delete;
  UdpReceiver& operator=(const UdpReceiver&) = delete;

  std::uint16_t port() const;
  std::size_t granted_buffer() const;  // Bytes.
  void resume();
  // Lets the loop read what the kernel holds, until that is nothing (true) or until `deadline`
  // (false). Not on the loop's thread.
  bool drain(SteadyTime deadline);
  // Datagrams that the kernel threw away since open(), since its buffer was full. Threads: any.
  std::uint64_t dropped() const;

 private:
  struct State;
  explicit UdpReceiver(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace millrace
