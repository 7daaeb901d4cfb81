// A hammer's TCP connection: writes lines, reads answers, comes back when it was lost.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/hammer/ack_window.h"
#include "cli/hammer/flow.h"

namespace millrace {

struct ConnectionPlan {
  sockaddr_storage address{};
  socklen_t address_bytes = 0;
  bool answered = false;                          // Each line is answered by OK or FAILED (netcat).
  std::uint64_t window = 1000;                    // Most lines without an answer.
  int send_buffer_bytes = 0;                      // 0: as the kernel has it.
  std::chrono::milliseconds first_back_off{10};   // Doubled at each failure in a row, up to
  std::chrono::milliseconds last_back_off{1000};  // this.
};

// Registers itself edge-triggered with the epoll instance, with its own address as data. Never
// blocks. Threads: its sender's alone. The flow outlives it.
class Connection {
 public:
  Connection(Flow& flow, const ConnectionPlan& plan, int epoll);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Connects when it is down and its back-off is over.
  void open_when_due(SteadyTime now);
  // What epoll_wait() reported.
  void on_events(std::uint32_t events, SteadyTime now);
  // Hands at most `most` of the flow's lines to the kernel; how many it took.
  std::uint64_t write(std::uint64_t most, SteadyTime now);
  // Nothing more will be written: ends its half and waits for the peer to end the other.
  void finish();

  bool is_settled() const { return window_.empty() && tail_.empty(); }
  bool is_closed() const { return state_ == State::kClosed; }
  // Moves when the peer takes or answers something.
  std::uint64_t progress() const;
  // What the kernel took and the peer may not have.
  std::vector<NumberRange> open_numbers() const;
  const std::string& last_trouble() const { return trouble_; }

 private:
  enum class State { kDown, kConnecting, kUp, kFinishing, kClosed };

  bool may_write(SteadyTime now) const;
  bool write_tail(SteadyTime now);
  std::int64_t send_some(std::string_view bytes, SteadyTime now);
  void keep_tail(const Flow::Lines& lines, std::size_t sent);
  void read_answers(SteadyTime now);
  void on_answer(std::string_view line, SteadyTime now);
  void on_connected(SteadyTime now);
  void on_end(bool orderly, const std::string& why, SteadyTime now);
  void lose(const std::string& why, SteadyTime now);
  void close_socket();
  void back_off(SteadyTime now);

  Flow& flow_;
  const ConnectionPlan plan_;
  const int epoll_;
  State state_ = State::kDown;
  int socket_ = -1;
  bool writable_ = false;
  std::string tail_;  // The rest of a line of which the kernel took a part.
  NumberRange torn_;  // That line, when there are no answers to wait for.
  AckWindow window_;
  std::string half_answer_;
  std::string trouble_;
  std::uint64_t moved_ = 0;  // Of a peer that answers: answers; of others: bytes sent.
  std::chrono::milliseconds pause_;
  SteadyTime not_before_{};
};

}  // namespace millrace
