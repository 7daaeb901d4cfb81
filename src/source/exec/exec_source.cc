#include "source/exec/exec_source.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/log.h"
#include "core/registry.h"
#include "source/charset.h"
#include "source/exec/find_line_end.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLeastRead = 64 * 1024;
constexpr milliseconds kTurn{100};  // A turn waits no longer.
constexpr milliseconds kIdle{3'600'000};
constexpr milliseconds kMemoryRetry{5};
constexpr milliseconds kGrace{2000};  // Between SIGTERM and SIGKILL.
constexpr milliseconds kReapTime{1000};
constexpr milliseconds kDrainTurn{20};
constexpr std::size_t kLongestErrorLine = 2000;

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

// True when line ends can be found in the bytes, without decoding them.
bool has_plain_line_ends(TextConverter& to_utf8) {
  const std::string_view sample = "a\nb\r";
  return to_utf8.convert(sample) == sample;
}

}  // namespace

void ExecConfig::check(ConfigCheck& check) const {
  if (split_words(command).empty()) {
    check.fault("command", "the command is empty");
  }
  if (is_utf8(charset)) {
    return;
  }
  auto converter = TextConverter::make(charset, "UTF-8");
  if (!converter.ok()) {
    check.fault("charset", converter.error().message());
  } else if (!has_plain_line_ends(converter.value())) {
    check.fault("charset",
                "its line ends are not single bytes; let the command convert its output, "
                "as with \"| iconv -t UTF-8\" in a shell");
  }
}

std::vector<std::string> ExecConfig::arguments() const {
  if (shell.empty()) {
    return split_words(command);
  }
  std::vector<std::string> arguments = split_words(shell);
  arguments.push_back(command);
  return arguments;
}

ExecSource::ExecSource(Config config, SourceContext context)
    : ThreadSource(std::move(context)),
      config_(std::move(config)),
      component_("source " + context_.name),
      incomplete_events_(context_.metrics.counter("IncompleteEventCount")),
      failed_commands_(context_.metrics.counter("CommandFailCount")),
      builder_(space_) {}

ExecSource::~ExecSource() {
  stop(SteadyTime{});
}

Result<> ExecSource::open() {
  wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_) {
    return system_error("eventfd", errno);
  }
  start_at_ = now();
  return {};
}

milliseconds ExecSource::turn(std::stop_token stop) {
  if (!child_) {
    return start_command();
  }
  switch (read_output(stop)) {
    case Read::kBytes:
      return milliseconds(0);
    case Read::kNoMemory:
      return kMemoryRetry;
    case Read::kEnd:
      command_ended(stop);
      return milliseconds(0);
    case Read::kNothing:
      break;
  }
  read_errors();
  const std::stop_callback wake(stop, [this] { ::eventfd_write(wake_.get(), 1); });
  wait_for_output(kTurn);
  return milliseconds(0);
}

// Starts it when it is due; how long to wait otherwise.
milliseconds ExecSource::start_command() {
  if (!start_at_) {
    return kIdle;
  }
  if (*start_at_ > now()) {
    return std::chrono::ceil<milliseconds>(*start_at_ - now());
  }
  start_at_.reset();
  Result<ChildProcess> started = ChildProcess::start(config_.arguments());
  if (started.ok()) {
    child_.emplace(std::move(started).value());
    return milliseconds(0);
  }
  failed_commands_.add();
  log_error(component_, "{}", started.error().message());
  if (config_.restart) {
    start_at_ = now() + config_.restart_throttle;
  }
  return milliseconds(1);
}

// The output is at its end: so is the command, or it is made to, as Flume does.
void ExecSource::command_ended(const std::stop_token& stop) {
  add_tail();
  put_batch(stop);
  child_->close_output();
  auto exit = child_->reap(now() + kDrainTurn);
  if (!exit) {
    child_->signal(SIGTERM);
    exit = child_->reap(now() + kReapTime);
  }
  if (!exit) {
    child_->signal(SIGKILL);
    exit = child_->reap(now() + kReapTime);
  }
  read_errors();
  const std::string how = exit ? exit->to_string() : "does not end";
  const std::string next = config_.restart ? fmt::format("; it is started again in {} ms",
                                                         config_.restart_throttle.count())
                                           : "";
  if (exit && exit->good()) {
    log_info(component_, "command [{}] {}{}", config_.command, how, next);
  } else {
    failed_commands_.add();
    log_warning(component_, "command [{}] {}{}", config_.command, how, next);
  }
  child_.reset();
  if (config_.restart) {
    start_at_ = now() + config_.restart_throttle;
  }
}

ExecSource::Read ExecSource::read_output(const std::stop_token& stop) {
  // A long line gets more room each time, so that it is not copied too often.
  const std::span<char> room =
      space_.bodies.room(tail_.size() + std::max(kLeastRead, tail_.size()));
  if (room.empty()) {
    return Read::kNoMemory;
  }
  const std::span<char> free = room.subspan(tail_.size());
  const ssize_t count = ::read(child_->output().get(), free.data(), free.size());
  if (count > 0) {
    std::memcpy(room.data(), tail_.data(), tail_.size());
    index({room.data(), tail_.size() + static_cast<std::size_t>(count)}, stop);
    return Read::kBytes;
  }
  const bool wait = count < 0 && (errno == EAGAIN || errno == EINTR);
  return wait ? Read::kNothing : Read::kEnd;
}

// Makes events of the whole lines of `bytes`, the front of the room asked for last; the rest
// becomes the tail. The tail was searched before.
void ExecSource::index(std::string_view bytes, const std::stop_token& stop) {
  const SlabPtr slab = space_.bodies.slab();
  space_.bodies.take(bytes.size());  // Interceptors may write into the slab, behind these bytes.
  const char* const end = bytes.data() + bytes.size();
  const char* line = bytes.data();
  const char* kept = line;
  const char* from = line + tail_.size();
  const auto put_if = [&](bool due) {
    if (due) {
      builder_.keep_bytes(slab, {kept, static_cast<std::size_t>(line - kept)});
      kept = line;
      put_batch(stop);
    }
  };
  if (skip_newline_ && *from == '\n') {
    line = ++from;  // The tail is empty behind a line's end.
  }
  skip_newline_ = false;
  for (const char* at; (at = find_line_end(from, end)) != end;) {
    builder_.add({line, static_cast<std::size_t>(at - line)});
    const bool pair = *at == '\r' && at + 1 != end && at[1] == '\n';
    skip_newline_ = *at == '\r' && at + 1 == end;
    line = from = at + (pair ? 2 : 1);
    put_if(builder_.size() >= config_.batch_size);
  }
  if (static_cast<std::size_t>(end - line) >= kLongestLine) {
    incomplete_events_.add();
    builder_.add({line, static_cast<std::size_t>(end - line)});
    line = end;
  }
  tail_.assign(line, static_cast<std::size_t>(end - line));
  put_if(!builder_.empty());
}

// The last line, which has no end.
void ExecSource::add_tail() {
  skip_newline_ = false;
  if (tail_.empty()) {
    return;
  }
  std::string_view line = builder_.store_body(tail_);
  if (line.data() == nullptr) {
    line = builder_.store_header_block(tail_);  // These slabs may go beyond the budget.
  }
  builder_.add(line);
  tail_.clear();
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

// Takes in what the command says on its error output; it would stop when nobody read it.
void ExecSource::read_errors() {
  char bytes[16 * 1024];
  while (child_->errors()) {
    const ssize_t count = ::read(child_->errors().get(), bytes, sizeof bytes);
    if (count > 0) {
      log_errors({bytes, static_cast<std::size_t>(count)});
      continue;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      log_errors("\n");
      child_->close_errors();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void ExecSource::log_errors(std::string_view bytes) {
  if (!config_.log_stderr) {
    return;
  }
  for (const char c : bytes) {
    if (c != '\n') {
      error_line_ += c;
    }
    if ((c == '\n' && !error_line_.empty()) || error_line_.size() >= kLongestErrorLine) {
      log_info(component_, "stderr: {}", error_line_);
      error_line_.clear();
    }
  }
}

void ExecSource::wait_for_output(milliseconds time) const {
  pollfd wait[] = {{wake_.get(), POLLIN, 0},
                   {child_->output().get(), POLLIN, 0},
                   {child_->errors().get(), POLLIN, 0}};  // A negative number is passed over.
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
  if (!child_) {
    return;
  }
  deadline_ = std::max(deadline, now() + kDrainTurn);
  child_->kill_group(SIGTERM);
  const SteadyTime kill_at = std::min(deadline_, now() + kGrace);
  bool killed = false;
  Read read = Read::kNothing;
  while (read != Read::kEnd && now() < deadline_) {
    if (!killed && now() >= kill_at) {
      child_->kill_group(SIGKILL);
      killed = true;
    }
    read_errors();
    // What the channels do not take would only lie in memory.
    const auto ready = [this] { return context_.channels.ready(); };
    if (!tasks_.run_until(ready, now() + kDrainTurn, {})) {
      continue;
    }
    read = read_output({});
    if (read == Read::kNothing || read == Read::kNoMemory) {
      rest(kDrainTurn);
    }
  }
  add_tail();
  put_batch({});
}

void ExecSource::close() {
  if (child_) {
    child_->kill_group(SIGKILL);
    child_->reap(now() + kReapTime);
    child_.reset();
  }
  deadline_ = {};
  start_at_.reset();
}

const RegisterSource<ExecSource> entry{
    "exec", "org.apache.flume.source.ExecSource",
    "Runs a command and takes each line that it prints for an event."};

}  // namespace millrace
