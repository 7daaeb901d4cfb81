// What the sources that read sockets on an event loop share: when they stop reading, and how they
// wait for the last answers.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "core/channel_processor.h"
#include "io/event_loop.h"
#include "io/tcp_connection.h"

namespace millrace {

// Closed while the channels take no more, or the memory for events is spent. Connections that then
// have something are parked: TCP stops their clients, no other connection is touched.
// Threads: the loop's. Loop and channels outlive it.
class ReadGate {
 public:
  ReadGate(EventLoop& loop, ChannelProcessor& channels) : loop_(loop), channels_(channels) {}

  // At the source's start: open.
  void enter();
  // At its stop: stays as it is, and what was to open it finds nothing any more.
  void leave();

  bool closed() const { return closed_; }
  // Is not read until the gate opens.
  void park(TcpConnection& connection);
  // Runs `then` on the loop when it opens; not after leave().
  void when_open(std::function<void()> then) { waiting_.push_back(std::move(then)); }
  // Until the channels are ready for more. Nothing happens when it is closed already, or left.
  void close_for_channels();
  // Until there may be memory again; likewise.
  void close_for_memory();

 private:
  std::function<void()> opener();
  void open();

  EventLoop& loop_;
  ChannelProcessor& channels_;
  bool closed_ = false;
  std::vector<std::shared_ptr<TcpConnection>> parked_;
  std::vector<std::function<void()>> waiting_;
  std::shared_ptr<ReadGate*> self_;  // Null before enter() and after leave().
};

// Waits until the channels have answered every put, until `deadline` at the latest; what they have
// not accepted then is given up. Not on the loop's thread.
void settle_puts(EventLoop& loop, ChannelProcessor& channels, SteadyTime deadline);

}  // namespace millrace
