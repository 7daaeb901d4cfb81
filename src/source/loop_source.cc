#include "source/loop_source.h"

#include <chrono>
#include <thread>
#include <utility>

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kMemoryRetry{5};
constexpr std::chrono::milliseconds kAnswerCheck{1};

}  // namespace

void ReadGate::enter() {
  self_ = std::make_shared<ReadGate*>(this);
  closed_ = false;
}

void ReadGate::leave() {
  self_.reset();
  parked_.clear();
  waiting_.clear();
}

void ReadGate::park(TcpConnection& connection) {
  connection.pause_reading();
  parked_.push_back(connection.shared_from_this());
}

void ReadGate::close_for_channels() {
  if (!closed_ && self_) {
    closed_ = true;
    channels_.when_ready(opener());
  }
}

void ReadGate::close_for_memory() {
  if (!closed_ && self_) {
    closed_ = true;
    loop_.post_after(kMemoryRetry, opener());
  }
}

std::function<void()> ReadGate::opener() {
  return [self = std::weak_ptr(self_)] {
    if (const auto gate = self.lock()) {
      (*gate)->open();
    }
  };
}

void ReadGate::open() {
  closed_ = false;
  for (const auto& connection : std::exchange(parked_, {})) {
    // Who does not take his answers is resumed when he has: see TcpHandler::on_drained().
    if (connection->unsent() <= TcpConnection::kWriteLimit) {
      connection->resume_reading();
    }
  }
  for (const auto& then : std::exchange(waiting_, {})) {
    then();
  }
}

void settle_puts(EventLoop& loop, ChannelProcessor& channels, SteadyTime deadline) {
  for (;;) {
    bool answered = false;
    loop.run_and_wait([&] { answered = channels.unanswered() == 0; });
    if (answered || std::chrono::steady_clock::now() >= deadline) {
      break;
    }
    std::this_thread::sleep_for(kAnswerCheck);
  }
  loop.run_and_wait([&] { channels.give_up(); });
}

}  // namespace millrace
