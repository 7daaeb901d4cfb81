#include "source/exec/command_run.h"

#include <fmt/core.h>
#include <signal.h>

#include "base/log.h"

namespace millrace {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kIdle{3'600'000};  // Nothing is due.
constexpr milliseconds kStartFailed{1};
constexpr milliseconds kOwnEnd{20};  // For a command that has closed its output to end by itself.
constexpr milliseconds kReapTime{1000};

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

void CommandRun::schedule() {
  start_at_ = now();
}

milliseconds CommandRun::start_if_due() {
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
    set_trouble({});
    return milliseconds(0);
  }
  failed_commands_.add();
  log_error(component_, "{}", started.error().message());
  set_trouble(started.error().message());
  schedule_restart();
  return kStartFailed;
}

void CommandRun::schedule_restart() {
  if (config_.restart) {
    start_at_ = now() + config_.restart_throttle;
  }
}

void CommandRun::end() {
  child_->close_output();
  exit_ = child_->reap(now() + kOwnEnd);
  if (!exit_) {
    child_->signal(SIGTERM);
    exit_ = child_->reap(now() + kReapTime);
  }
  if (!exit_) {
    child_->signal(SIGKILL);
    exit_ = child_->reap(now() + kReapTime);
  }
}

void CommandRun::done() {
  const std::string how = exit_ ? exit_->to_string() : "does not end";
  const std::string next = config_.restart ? fmt::format("; it is started again in {} ms",
                                                         config_.restart_throttle.count())
                                           : "";
  if (exit_ && exit_->good()) {
    log_info(component_, "command [{}] {}{}", config_.command, how, next);
  } else {
    failed_commands_.add();
    log_warning(component_, "command [{}] {}{}", config_.command, how, next);
    set_trouble(fmt::format("command [{}] {}{}", config_.command, how, next));
  }
  child_.reset();
  exit_.reset();
  schedule_restart();
}

Result<> CommandRun::health() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_.empty() ? Result<>() : transient(trouble_);
}

void CommandRun::set_trouble(std::string trouble) {
  const std::lock_guard lock(trouble_mutex_);
  trouble_ = std::move(trouble);
}

void CommandRun::kill() {
  if (child_) {
    child_->kill_group(SIGKILL);
    child_->reap(now() + kReapTime);
    child_.reset();
  }
  start_at_.reset();
}

}  // namespace millrace
