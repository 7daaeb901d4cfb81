// A thread that drives the connections of some hammers.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/hammer/connection.h"
#include "cli/hammer/flow.h"

namespace millrace {

// What the command tells its senders. Threads: any.
struct RunControl {
  std::atomic<bool> enough{false};   // No new numbers; wait for what is open.
  std::atomic<bool> give_up{false};  // End at once.
};

// A hammer and where it sends to. Connections of one hammer share its numbers.
struct FlowPlan {
  Flow::Plan flow;
  ConnectionPlan connection;
  std::size_t connections = 1;
  std::string prefix_host;  // Of its syslog header; empty: it has none.
};

struct SenderPlan {
  std::vector<FlowPlan> flows;
  std::chrono::milliseconds give_up_after{60'000};  // Without progress of a hammer that owes some.
  std::chrono::milliseconds most_time{0};           // No new numbers after it; 0: no limit.
};

// Ends when all its hammers are through, or when one of them makes no progress. Threads: made,
// asked and destroyed on one; flows() and their counts on any, the rest of a flow after join().
class Sender {
 public:
  Sender(const SenderPlan& plan, RunControl& control);
  ~Sender();

  void start();
  void join();
  bool is_running() const { return running_; }
  // Why it gave up; empty when it did not. After join().
  const std::string& trouble() const { return trouble_; }
  // Numbers of a flow that were handed out and not settled. After join().
  std::vector<NumberRange> open_numbers(std::size_t flow) const;
  std::vector<std::unique_ptr<Flow>>& flows() { return flows_; }

 private:
  struct Part;

  void run();
  void wait(bool busy);
  void refresh_prefixes();
  bool serve(Part& part, SteadyTime now);
  void finish(Part& part);
  void watch(Part& part, bool owes, SteadyTime now);

  const SenderPlan plan_;
  RunControl& control_;
  const int epoll_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<std::unique_ptr<Part>> parts_;  // One a flow.
  std::int64_t prefix_second_ = 0;
  std::atomic<bool> running_{false};
  std::string trouble_;
  std::jthread thread_;
};

// "<13>Mmm dd HH:MM:SS host " of RFC 3164 for `wall` in local time; as long for every time.
std::string syslog_prefix(WallTime wall, const std::string& host);

}  // namespace millrace
