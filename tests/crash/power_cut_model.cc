#include "power_cut_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace millrace {
namespace {

constexpr std::chrono::seconds kAnswerDeadline{20};

}  // namespace

void PowerCutModel::complain(const std::string& what) {
  complaints_.push_back(fmt::format("seed {}: {}", seed_, what));
}

void PowerCutModel::begin_life(bool in_order) {
  in_order_ = in_order;
  seen_.clear();
  out_of_order_.clear();
  next_in_order_ = 0;
}

std::uint64_t PowerCutModel::make_event(std::size_t padding) {
  const std::uint64_t number = bodies_.size();
  bodies_.push_back(fmt::format("{} ", number) +
                    std::string(padding, static_cast<char>('a' + number % 26)));
  return number;
}

testing_kit::TestEvent PowerCutModel::event(std::uint64_t number) const {
  return {bodies_[number], {{"number", std::to_string(number)}}};
}

PutDone PowerCutModel::offer(const Batch& events, bool proves_commits) {
  {
    const std::lock_guard lock(mutex_);
    ++unanswered_;
    for (const std::uint64_t event : events) {
      fates_[event] = Fate::kOffered;
    }
  }
  const std::set<std::uint64_t> proven = proves_commits ? acknowledged_ : decltype(proven){};
  return [this, events, proven](const Result<>& result) { answer(result, events, proven); };
}

void PowerCutModel::answer(const Result<>& result, const Batch& events,
                           const std::set<std::uint64_t>& proven) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t event : result.ok() ? events : Batch{}) {
    if (fates_[event] == Fate::kOffered) {  // A taker may have been faster than this answer.
      fates_[event] = Fate::kCommitted;
    }
  }
  for (const std::uint64_t event : result.ok() ? proven : std::set<std::uint64_t>{}) {
    fates_.erase(event);
  }
  --unanswered_;
  answered_.notify_all();
}

void PowerCutModel::take_back_offer() {
  const std::lock_guard lock(mutex_);
  --unanswered_;
}

void PowerCutModel::expect_answers() {
  std::unique_lock lock(mutex_);
  if (!answered_.wait_for(lock, kAnswerDeadline, [this] { return unanswered_ == 0; })) {
    complain(fmt::format("{} puts are not answered", unanswered_));
    unanswered_ = 0;
  }
}

PowerCutModel::Batch PowerCutModel::delivered(const EventBatch& batch) {
  Batch events = identify(batch);
  for (const std::uint64_t event : events) {
    expect(event);
  }
  return events;
}

PowerCutModel::Batch PowerCutModel::identify(const EventBatch& batch) {
  Batch events;
  for (const EventRef& event : batch) {
    const std::string text(event.body());
    const std::uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    if (number >= bodies_.size() || bodies_[number] != text ||
        event.headers().find("number") != std::to_string(number)) {
      complain(fmt::format("an event that was never put: \"{}\"", text.substr(0, 40)));
      continue;
    }
    events.push_back(number);
  }
  return events;
}

void PowerCutModel::expect(std::uint64_t event) {
  if (!seen_.insert(event).second) {
    complain(fmt::format("event {} was delivered twice in one life", event));
  }
  if (out_of_order_.erase(event) > 0) {
    return;
  }
  if (event < next_in_order_ && in_order_) {
    complain(fmt::format("event {} came behind event {}", event, next_in_order_ - 1));
  }
  next_in_order_ = std::max(next_in_order_, event + 1);
  const std::lock_guard lock(mutex_);
  const auto fate = fates_.find(event);
  if (fate == fates_.end()) {
    complain(fmt::format("event {} came again although it had left for good", event));
    return;
  }
  came_again_ += fate->second == Fate::kAcknowledged ? 1 : 0;
}

void PowerCutModel::given_back(const Batch& events) {
  for (const std::uint64_t event : events) {
    seen_.erase(event);
    out_of_order_.insert(event);
  }
}

void PowerCutModel::acknowledged(const Batch& events) {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t event : events) {
    fates_[event] = Fate::kAcknowledged;
    acknowledged_.insert(event);
  }
}

void PowerCutModel::forget_acknowledged() {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t event : acknowledged_) {
    fates_.erase(event);
  }
  acknowledged_.clear();
}

void PowerCutModel::check_survivors(const ChannelCounts& counts) {
  for (const auto& [event, fate] : fates_) {
    if (fate == Fate::kCommitted && !seen_.contains(event)) {
      complain(fmt::format("event {} was committed and is lost", event));
    }
  }
  if (counts.put != counts.acknowledged + counts.dropped + counts.held + counts.in_channel) {
    complain("conservation does not hold");
  }
  if (counts.in_channel + counts.held != seen_.size()) {
    complain(fmt::format("{} events are said to be in the channel, {} are", counts.in_channel,
                         seen_.size()));
  }
  survivors_ = seen_;
  acknowledged_.clear();
}

void PowerCutModel::owe_survivors() {
  fates_.clear();
  for (const std::uint64_t event : survivors_) {
    if (!acknowledged_.contains(event)) {
      fates_[event] = Fate::kCommitted;
    }
  }
  acknowledged_.clear();
}

}  // namespace millrace
