#include "core/rejected_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

constexpr int kMostRests = 5;
constexpr auto kComplainEvery = std::chrono::minutes(1);

}  // namespace

RejectedEvents::RejectedEvents(std::string name, Channel& channel, MetricGroup& metrics,
                               const Clock& clock, Options options)
    : name_(std::move(name)),
      channel_(channel),
      clock_(clock),
      otherwise_(options.otherwise),
      route_(std::move(options.route)),
      rest_(options.rest),
      rejected_(metrics.counter("EventRejectedCount")),
      letters_(metrics.counter("DeadLetterCount")),
      letters_failed_(metrics.counter("DeadLetterFailCount")) {
  if (has_target()) {
    space_ = std::make_unique<BatchSpace>(*route_.slabs);
  }
}

void RejectedEvents::idle() {
  if (has_target() && ready()) {
    route_.target->idle();
  }
}

// False while it rests after a failure.
bool RejectedEvents::ready() {
  if (failures_ > 0 && clock_.steady() < rest_until_) {
    return false;
  }
  if (!started_) {
    Result<> started = route_.target->start();
    started_ = started.ok();
    note(started);
  }
  return started_;
}

std::vector<HeldEvent> RejectedEvents::set_aside(const Rejects& rejects,
                                                 const TakeTransaction& taken) {
  const std::vector<Rejects::Reject>& all = rejects.all();
  std::vector<HeldEvent> held;
  if (all.empty()) {
    return held;
  }
  rejected_.add(all.size());
  {
    const std::lock_guard lock(mutex_);
    reason_ = all.front().reason;
  }
  const std::size_t posted = post(rejects, taken);
  unsaid_.letters += posted;
  if (otherwise_ == OnRejected::kDrop) {
    channel_.count_dropped(all.size() - posted);
    unsaid_.dropped += all.size() - posted;
  } else {
    held.reserve(all.size() - posted);
    for (std::size_t i = posted; i < all.size(); ++i) {
      held.push_back({all[i].lease, all[i].event});
    }
    unsaid_.held += held.size();
  }
  say(all.front().reason);
  return held;
}

// How many of the rejects, the first ones, are in the dead letter.
std::size_t RejectedEvents::post(const Rejects& rejects, const TakeTransaction& taken) {
  if (!has_target() || !ready()) {
    return 0;
  }
  Posted posted = route_.target->write(letters_of(rejects, taken, route_.head, clock_, *space_));
  letters_.add(posted.events);
  note(posted.outcome);
  return posted.events;
}

// A failure is logged when it begins, when it changes and once a minute; its end once.
void RejectedEvents::note(const Result<>& outcome) {
  const std::lock_guard lock(mutex_);
  if (outcome.ok()) {
    if (std::exchange(failures_, 0) > 0) {
      log_info(name_, "the dead letter, {}, can be written again", route_.target_name);
      trouble_.clear();
    }
    return;
  }
  letters_failed_.add();
  failures_ = std::min(failures_ + 1, kMostRests);
  rest_until_ = clock_.steady() + rest_ * failures_;
  const bool is_new = outcome.error().message() != trouble_;
  trouble_ = outcome.error().message();
  if (is_due(complained_) || is_new) {
    complained_ = clock_.steady();
    log_error(name_, "the dead letter, {}, cannot be written: {}; rejected events are {} meanwhile",
              route_.target_name, trouble_, otherwise_ == OnRejected::kDrop ? "dropped" : "held");
  }
}

// Once a minute, what became of the rejected events since the last time.
void RejectedEvents::say(const std::string& reason) {
  if (!is_due(said_)) {
    return;
  }
  said_ = clock_.steady();
  const Unsaid now = std::exchange(unsaid_, {});
  std::string fates;
  const auto add = [&fates](std::size_t events, std::string_view fate) {
    if (events > 0) {
      fates += fmt::format("{}{} {}", fates.empty() ? "" : ", ", events, fate);
    }
  };
  add(now.letters, "written to " + route_.target_name);
  add(now.held, "held");
  add(now.dropped, "dropped");
  log_warning(name_, "rejected events: {}; the last for: {}", fates, reason);
}

bool RejectedEvents::is_due(const std::optional<SteadyTime>& last) const {
  return !last || clock_.steady() - *last >= kComplainEvery;
}

void RejectedEvents::stop() {
  if (has_target()) {
    route_.target->stop();
  }
  started_ = false;
}

Result<> RejectedEvents::health() const {
  const std::uint64_t held = channel_.counts().held;
  const std::lock_guard lock(mutex_);
  if (!trouble_.empty()) {
    return transient(fmt::format("the dead letter, {}, cannot be written: {}{}", route_.target_name,
                                 trouble_,
                                 held > 0 ? fmt::format("; {} events are held", held) : ""));
  }
  if (held > 0) {
    return rejected(fmt::format("{} events are held: the sink rejected them{}", held,
                                reason_.empty() ? "" : ", the last for: " + reason_));
  }
  return {};
}

}  // namespace millrace
