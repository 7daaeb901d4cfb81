// Takes in the connections of a listening port. Included by tcp_*.cc alone.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "io/descriptor.h"
#include "io/event_loop.h"

struct sockaddr_storage;

namespace millrace {

// While the process has no descriptor to spare, or no memory, clients wait in the kernel's queue
// and it comes again. Threads: the loop's, but for open() and port(), before start().
class TcpAcceptor final : public std::enable_shared_from_this<TcpAcceptor> {
 public:
  // Gets each connection; not after stop() or close().
  using Admit = std::function<void(Descriptor, const sockaddr_storage&)>;

  // `component`: for the log.
  TcpAcceptor(EventLoop& loop, std::string component);

  // Takes over a socket that listens and does not block.
  Result<> open(Descriptor listening);
  std::uint16_t port() const { return port_; }
  void start(Admit admit);

  // Takes in who is in the kernel's queue, then closes: new clients are refused.
  void stop();
  void close();

 private:
  void arm();
  void accept_ready();
  bool accept_one();
  void accept_failed(int number);

  EventLoop& loop_;
  const std::string component_;
  boost::asio::posix::stream_descriptor listener_;
  std::uint16_t port_ = 0;
  Admit admit_;
  bool is_failing_ = false;
};

}  // namespace millrace
