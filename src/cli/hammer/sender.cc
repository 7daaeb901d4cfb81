#include "cli/hammer/sender.h"

#include <fmt/core.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace millrace {
namespace {

constexpr std::size_t kChunkBytes = 256 * 1024;  // Most that one write offers to the kernel.
constexpr int kIdleMs = 20;                      // Looks at clocks and flags at least so often.

}  // namespace

struct Sender::Part {
  Flow& flow;
  const FlowPlan& plan;
  std::vector<std::unique_ptr<Connection>> connections;
  std::size_t turn = 0;  // Which connection is served first.
  bool finishing = false;
  bool done = false;
  std::uint64_t progress = 0;
  SteadyTime moved_at;
};

Sender::Sender(const SenderPlan& plan, RunControl& control)
    : plan_(plan), control_(control), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  const SteadyTime now = std::chrono::steady_clock::now();
  for (const FlowPlan& flow_plan : plan_.flows) {
    flows_.push_back(std::make_unique<Flow>(flow_plan.flow));
    auto part =
        std::make_unique<Part>(Part{*flows_.back(), flow_plan, {}, 0, false, false, 0, now});
    for (std::size_t i = 0; i < flow_plan.connections; ++i) {
      part->connections.push_back(
          std::make_unique<Connection>(*flows_.back(), flow_plan.connection, epoll_));
    }
    parts_.push_back(std::move(part));
  }
}

Sender::~Sender() {
  control_.give_up = true;
  join();
  parts_.clear();
  ::close(epoll_);
}

void Sender::start() {
  running_ = true;
  thread_ = std::jthread([this] {
    ::pthread_setname_np(::pthread_self(), "hammer");
    run();
    running_ = false;
  });
}

void Sender::join() {
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Sender::run() {
  const SteadyTime start = std::chrono::steady_clock::now();
  bool busy = true;
  for (bool open = true; open && trouble_.empty() && !control_.give_up;) {
    wait(busy);
    refresh_prefixes();
    const SteadyTime now = std::chrono::steady_clock::now();
    const bool late = plan_.most_time.count() > 0 && now - start >= plan_.most_time;
    open = busy = false;
    for (const auto& part : parts_) {
      if (late || control_.enough) {
        part->flow.stop();
      }
      busy = serve(*part, now) || busy;
      open = open || !part->done;
    }
  }
}

// Lets connections note what happened to them. Does not sleep while there is something to write.
void Sender::wait(bool busy) {
  const bool paced = plan_.flows.front().flow.per_second > 0;
  std::array<epoll_event, 256> events;
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                 busy ? 0 : (paced ? 1 : kIdleMs));
  const SteadyTime now = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    static_cast<Connection*>(event.data.ptr)->on_events(event.events, now);
  }
}

void Sender::refresh_prefixes() {
  const WallTime wall = std::chrono::system_clock::now();
  const std::int64_t second = std::chrono::system_clock::to_time_t(wall);
  if (second == prefix_second_) {
    return;
  }
  prefix_second_ = second;
  for (const auto& part : parts_) {
    if (!part->plan.prefix_host.empty()) {
      part->flow.set_prefix(syslog_prefix(wall, part->plan.prefix_host));
    }
  }
}

// Writes what is due, a chunk a connection. True when something was written and more is due.
bool Sender::serve(Part& part, SteadyTime now) {
  if (part.done) {
    return false;
  }
  Flow& flow = part.flow;
  const std::uint64_t due = flow.pacer().due(now);
  std::uint64_t left = due;
  const std::uint64_t chunk = std::max<std::uint64_t>(1, kChunkBytes / flow.line_bytes());
  bool settled = true;
  for (std::size_t i = 0; i < part.connections.size(); ++i) {
    Connection& connection = *part.connections[(part.turn + i) % part.connections.size()];
    connection.open_when_due(now);
    left -= connection.write(std::min(left, chunk), now);
    settled = settled && connection.is_settled();
  }
  ++part.turn;
  flow.pacer().took(due - left);
  if (flow.exhausted() && settled) {
    finish(part);
  }
  watch(part, (due > 0 && !flow.exhausted()) || !settled || part.finishing, now);
  return left != due && left > 0;
}

void Sender::finish(Part& part) {
  part.finishing = true;
  part.done = true;
  for (const auto& connection : part.connections) {
    connection->finish();
    part.done = part.done && connection->is_closed();
  }
}

// Gives up when the hammer owes something and nothing has moved for too long.
void Sender::watch(Part& part, bool owes, SteadyTime now) {
  std::uint64_t progress = 0;
  for (const auto& connection : part.connections) {
    progress += connection->progress();
  }
  if (!owes || progress != part.progress) {
    part.progress = progress;
    part.moved_at = now;
  } else if (!part.done && now - part.moved_at >= plan_.give_up_after) {
    trouble_ = fmt::format("hammer-{}: nothing moved for {:g} s", part.flow.hammer(),
                           static_cast<double>(plan_.give_up_after.count()) / 1e3);
    for (const auto& connection : part.connections) {
      if (!connection->last_trouble().empty()) {
        trouble_ += "; " + connection->last_trouble();
        break;
      }
    }
  }
}

std::vector<NumberRange> Sender::open_numbers(std::size_t flow) const {
  const Part& part = *parts_[flow];
  std::vector<NumberRange> open(part.flow.waiting_again().begin(), part.flow.waiting_again().end());
  for (const auto& connection : part.connections) {
    const std::vector<NumberRange> ranges = connection->open_numbers();
    open.insert(open.end(), ranges.begin(), ranges.end());
  }
  std::sort(open.begin(), open.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.first < b.first; });
  return open;
}

std::string syslog_prefix(WallTime wall, const std::string& host) {
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(wall);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return fmt::format("<13>{} {:>2} {:02}:{:02}:{:02} {} ",
                     kMonths[static_cast<std::size_t>(local.tm_mon)], local.tm_mday, local.tm_hour,
                     local.tm_min, local.tm_sec, host);
}

}  // namespace millrace
