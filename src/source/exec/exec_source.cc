#include "source/exec/exec_source.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/registry.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTurn{100};  // A turn waits no longer.
constexpr milliseconds kMemoryRetry{5};
constexpr milliseconds kGrace{2000};  // Between SIGTERM and SIGKILL.
constexpr milliseconds kDrainTurn{20};

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

ExecSource::ExecSource(Config config, SourceContext context)
    : ThreadSource(std::move(context)),
      config_(std::move(config)),
      component_("source " + context_.name),
      builder_(space_),
      command_(config_, component_, context_.metrics.counter("CommandFailCount")),
      lines_(space_, builder_, config_.batch_size,
             context_.metrics.counter("IncompleteEventCount")),
      errors_(component_, config_.log_stderr) {}

ExecSource::~ExecSource() {
  stop(SteadyTime{});
}

Result<> ExecSource::open() {
  wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) {
    return system_error("eventfd", errno);
  }
  command_.schedule();
  return {};
}

milliseconds ExecSource::turn(std::stop_token stop) {
  if (command_.child() == nullptr) {
    return command_.start_if_due();
  }
  switch (read_output(stop)) {
    case Read::kBytes:
      return milliseconds(0);
    case Read::kNoMemory:
      put_batch(stop);
      return kMemoryRetry;
    case Read::kEnd:
      command_ended(stop);
      return milliseconds(0);
    case Read::kNothing:
      put_batch(stop);  // Nothing waits for company that is not there.
      break;
  }
  errors_.read(*command_.child());
  const std::stop_callback wake(stop, [this] { ::eventfd_write(wake_.get(), 1); });
  wait_for_output(kTurn);
  return milliseconds(0);
}

ExecSource::Read ExecSource::read_output(const std::stop_token& stop) {
  const std::span<char> room = lines_.room();
  if (room.empty()) {
    return Read::kNoMemory;
  }
  const ssize_t count = ::read(command_.child()->output().get(), room.data(), room.size());
  if (count > 0) {
    lines_.take(static_cast<std::size_t>(count), [this, &stop] { put_batch(stop); });
    return Read::kBytes;
  }
  const bool wait = count < 0 && (errno == EAGAIN || errno == EINTR);
  return wait ? Read::kNothing : Read::kEnd;
}

void ExecSource::command_ended(const std::stop_token& stop) {
  lines_.end();
  put_batch(stop);
  command_.end();
  errors_.read(*command_.child());
  command_.done();
}

// While a stop is under way the channels have until its deadline to take the batch.
void ExecSource::put_batch(const std::stop_token& stop) {
  if (builder_.empty()) {
    return;
  }
  if (deadline_ == SteadyTime{}) {
    put(builder_, stop);
  } else {
    context_.channels.put(builder_);
    tasks_.run_until([this] { return context_.channels.ready(); }, deadline_, {});
  }
}

void ExecSource::wait_for_output(milliseconds time) {
  const ChildProcess& child = *command_.child();
  pollfd wait[] = {{wake_.get(), POLLIN, 0},
                   {child.output().get(), POLLIN, 0},
                   {child.errors().get(), POLLIN, 0}};  // A negative number is passed over.
  ::poll(wait, 3, static_cast<int>(time.count()));
}

// Waits for output and lets the channels' answers in.
void ExecSource::rest(milliseconds time) {
  tasks_.run_due();
  ::eventfd_t ignored;
  ::eventfd_read(wake_.get(), &ignored);
  wait_for_output(time);
}

// Ends the command with all that belongs to its group, and takes in what it has printed.
void ExecSource::drain(SteadyTime deadline) {
  if (command_.child() == nullptr) {
    return;
  }
  deadline_ = std::max(deadline, now() + kDrainTurn);
  command_.child()->kill_group(SIGTERM);
  read_until_end();
  lines_.end();
  put_batch({});
}

// Or until the deadline. A command that does not heed SIGTERM is killed meanwhile.
void ExecSource::read_until_end() {
  const SteadyTime kill_at = std::min(deadline_, now() + kGrace);
  bool killed = false;
  Read read = Read::kNothing;
  while (read != Read::kEnd && now() < deadline_) {
    if (!killed && now() >= kill_at) {
      command_.child()->kill_group(SIGKILL);
      killed = true;
    }
    errors_.read(*command_.child());
    // What the channels do not take would only lie in memory.
    const auto ready = [this] { return context_.channels.ready(); };
    if (!tasks_.run_until(ready, now() + kDrainTurn, {})) {
      continue;
    }
    read = read_output({});
    if (read == Read::kNothing || read == Read::kNoMemory) {
      put_batch({});
      rest(kDrainTurn);
    }
  }
}

void ExecSource::close() {
  command_.kill();
  deadline_ = {};
}

const RegisterSource<ExecSource> entry{
    "exec", "org.apache.flume.source.ExecSource",
    "Runs a command and takes each line that it prints for an event."};

}  // namespace millrace
