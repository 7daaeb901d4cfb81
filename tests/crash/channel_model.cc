#include "channel_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace millrace {

void ChannelModel::complain(const std::string& what) {
  complaints_.push_back(name_ + ": " + what);
}

// ---- Lives ----

void ChannelModel::begin_life() {
  seen_.clear();
  next_.clear();
  out_of_order_.clear();
  leaving_.clear();  // What did not become durable before never will.
  for (auto& [event, fate] : fates_) {
    if (fate == Fate::kOffered) {
      fate = Fate::kDoubtful;
      ++failed_;
    }
  }
}

void ChannelModel::opened() {
  for (auto& [event, fate] : fates_) {
    fate = fate == Fate::kWritten ? Fate::kCommitted : fate;
  }
}

void ChannelModel::lost_power() {
  for (auto& [event, fate] : fates_) {
    if (fate == Fate::kWritten) {
      fate = Fate::kDoubtful;
      --committed_;
      ++failed_;
    }
  }
}

void ChannelModel::changed_checkpoint() {
  for (const std::uint64_t event : left_) {
    fates_.try_emplace(event, Fate::kAcknowledged);
  }
  for (const std::uint64_t event : returned_) {
    if (const auto fate = fates_.find(event); fate != fates_.end()) {
      fate->second = Fate::kAcknowledged;
    }
  }
}

void ChannelModel::has_stopped() {
  leave_for_good(leavings_);
  opened();  // It has synced what it wrote.
}

// ---- Puts ----

std::uint64_t ChannelModel::make_event(std::size_t source, std::size_t padding) {
  sources_.push_back(static_cast<std::uint8_t>(source));
  padding_.push_back(static_cast<std::uint32_t>(padding));
  return made() - 1;
}

std::string ChannelModel::body_of(std::uint64_t number) const {
  return fmt::format("{} {} ", number, sources_[number]) +
         std::string(padding_[number], static_cast<char>('a' + number % 26));
}

testing_kit::TestEvent ChannelModel::event(std::uint64_t number) const {
  return {body_of(number), {{"number", std::to_string(number)}}};
}

ChannelModel::Offer ChannelModel::offered(Events events) {
  for (const std::uint64_t event : events) {
    fates_[event] = Fate::kOffered;
  }
  return {std::move(events), leavings_};
}

void ChannelModel::refused(const Offer& offer) {
  for (const std::uint64_t event : offer.events) {
    fates_.erase(event);
  }
}

void ChannelModel::answered(const Offer& offer, bool ok, bool synced, bool proves) {
  for (const std::uint64_t event : offer.events) {
    const auto fate = fates_.find(event);
    const bool is_offered = fate != fates_.end() && fate->second == Fate::kOffered;
    if (is_offered) {  // A taker may have been faster than this answer.
      fate->second = !ok ? Fate::kDoubtful : synced ? Fate::kCommitted : Fate::kWritten;
    }
  }
  (ok ? committed_ : failed_) += offer.events.size();
  if (ok && proves) {
    leave_for_good(offer.left_before);
  }
}

// ---- Takes ----

ChannelModel::Events ChannelModel::delivered(const EventBatch& batch) {
  Events events;
  for (const EventRef& event : batch) {
    const std::string text(event.body());
    const std::uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    if (number >= made() || body_of(number) != text ||
        event.headers().find("number") != std::to_string(number)) {
      complain(fmt::format("an event that was never put: \"{}\"", text.substr(0, 40)));
      continue;
    }
    expect(number);
    events.push_back(number);
  }
  return events;
}

void ChannelModel::expect(std::uint64_t event) {
  if (!seen_.insert(event).second) {
    complain(fmt::format("event {} was delivered twice in one life", event));
  }
  expect_order(event);
  const auto fate = fates_.find(event);
  if (fate == fates_.end()) {
    complain(fmt::format("event {} came again although it had left for good", event));
    return;
  }
  if (fate->second == Fate::kAcknowledged) {
    ++came_again_;
    returned_.insert(event);
  }
  if (fate->second == Fate::kDoubtful) {  // It is in the log: from now on it is owed.
    ++uninvited_;
    --failed_;
    fate->second = Fate::kCommitted;
  }
}

void ChannelModel::expect_order(std::uint64_t event) {
  if (out_of_order_.erase(event) > 0) {
    return;
  }
  std::uint64_t& next = next_[sources_[event]];
  if (event < next) {
    complain(fmt::format("event {} came behind event {} of the same source", event, next - 1));
  }
  next = event + 1;
}

void ChannelModel::given_back(const Events& events) {
  for (const std::uint64_t event : events) {
    seen_.erase(event);
    std::uint64_t& next = next_[sources_[event]];
    next = std::min(next, event);
  }
}

void ChannelModel::held(const Events& events) {
  for (const std::uint64_t event : events) {
    seen_.erase(event);
    out_of_order_.insert(event);
  }
}

void ChannelModel::acknowledged(const Events& events) {
  leaving_.emplace_back(++leavings_, events);
  for (const std::uint64_t event : events) {
    fates_[event] = Fate::kAcknowledged;
  }
}

void ChannelModel::dropped(const Events& events) {
  dropped_ += events.size();
  acknowledged(events);
}

void ChannelModel::leave_for_good(std::uint64_t up_to) {
  left_.clear();
  while (!leaving_.empty() && leaving_.front().first <= up_to) {
    for (const std::uint64_t event : leaving_.front().second) {
      fates_.erase(event);
    }
    leaving_.pop_front();
  }
}

// ---- What is there ----

void ChannelModel::settle(const ChannelCounts& counts, Books books) {
  std::uint64_t doubtful = 0;
  for (const auto& [event, fate] : fates_) {
    const bool is_seen = seen_.contains(event);
    if (!is_seen && (fate == Fate::kCommitted || fate == Fate::kWritten)) {
      complain(fmt::format("event {} was committed and is lost", event));
    }
    doubtful += !is_seen && fate == Fate::kDoubtful ? 1 : 0;
    if (!is_seen) {
      left_.insert(event);
    }
  }
  if (counts.in_channel + counts.held != seen_.size()) {
    complain(fmt::format("{} events are said to be in the channel, {} are",
                         counts.in_channel + counts.held, seen_.size()));
  }
  check_books(counts, books, doubtful);
  fates_.clear();
  for (const std::uint64_t event : seen_) {
    fates_[event] = Fate::kCommitted;
  }
  counted_ = counts;
  committed_ = uninvited_ = dropped_ = failed_ = 0;
}

// What was put since the last look was committed, or came back uninvited, or lay in a record that
// the power loss tore and is counted as dropped. Where no checkpoint tells that a number's put
// never became durable, it counts as one that was put and delivered.
void ChannelModel::check_books(const ChannelCounts& counts, Books books, std::uint64_t doubtful) {
  if (counts.put != counts.acknowledged + counts.dropped + counts.held + counts.in_channel) {
    complain("conservation does not hold");
  }
  vanished_ += doubtful;
  const std::uint64_t put = counts.put - counted_.put;
  const std::uint64_t torn = counts.dropped - counted_.dropped;
  const std::uint64_t known = committed_ + uninvited_;
  const bool is_torn_known = books == Books::kExact && dropped_ == 0;
  const std::uint64_t least = known + (is_torn_known ? torn : 0);
  const std::uint64_t most = known + vanished_ + (books == Books::kExact ? 0 : failed_);
  if (books != Books::kLost && (put < least || put > most || (is_torn_known && torn > doubtful))) {
    complain(
        fmt::format("{} events are counted as put and {} as dropped; {} were committed, {} "
                    "came back uninvited, {} had failed, {} never came back",
                    put, torn, committed_, uninvited_, failed_, vanished_));
  }
}

void ChannelModel::expect_counts(const ChannelCounts& counts, const ChannelCounts& expected) {
  const auto in_channel = [](const ChannelCounts& c) { return c.in_channel + c.held; };
  if (counts.put != expected.put || counts.acknowledged != expected.acknowledged ||
      counts.dropped != expected.dropped || in_channel(counts) != in_channel(expected)) {
    complain(fmt::format(
        "after an orderly stop the counts are put={} acknowledged={} dropped={} in channel={}; "
        "they were {} {} {} {}",
        counts.put, counts.acknowledged, counts.dropped, in_channel(counts), expected.put,
        expected.acknowledged, expected.dropped, in_channel(expected)));
  }
}

}  // namespace millrace
