#include "power_cut_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Operation = FakeFileSystem::Operation;

constexpr std::size_t kNoByteLimit = std::size_t{1} << 30;
constexpr auto kAnswerDeadline = 20s;

}  // namespace

PowerCutRun::PowerCutRun(PowerCutOptions options) : options_(options), random_(options.seed) {
  choose_shape();
}

PowerCutRun::~PowerCutRun() {
  kit_.files.on_operation(nullptr);
  channel_.reset();
}

std::size_t PowerCutRun::draw(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
}

void PowerCutRun::complain(const std::string& what) {
  complaints_.push_back(fmt::format("seed {}: {}", options_.seed, what));
}

void PowerCutRun::choose_shape() {
  dirs_ = options_.plain ? 1 : 1 + draw(3);
  keys_ = {{"checkpointDir", "/check"},
           {"dataDirs", dirs_ == 1 ? "/a" : dirs_ == 2 ? "/a,/b" : "/a,/b,/c"},
           {"maxFileSize", "65536"},
           {"minimumRequiredSpace", "1048576"},
           {"checkpointInterval", "1000"},
           {"checkpointOnClose", draw(2) == 0 ? "true" : "false"}};
  memory_share_ = options_.plain || draw(2) == 0 ? std::size_t{1} << 26 : std::size_t{1} << 14;
}

bool PowerCutRun::open() {
  PropertySection section;
  for (const auto& [key, value] : keys_) {
    section.set({.key = key, .value = value});
  }
  Diagnostics diagnostics;
  const auto config = bind<FileChannelConfig>(section, diagnostics, common_channel_keys());
  channel_ = std::make_unique<FileChannel>(
      *config, ChannelContext{"power", kit_.services, kit_.metrics.group("CHANNEL", "power"),
                              memory_share_});
  seen_.clear();
  out_of_order_.clear();
  next_in_order_ = 0;
  const Result<> started = channel_->start();
  if (!started.ok() && !is_cut_) {
    complain("the channel does not start: " + started.error().message());
  }
  return started.ok();
}

bool PowerCutRun::run_once() {
  plan_cut();
  if (open()) {
    live();
  }
  die();
  check_survivors();
  return complaints_.empty();
}

// The power goes at some operation of this life, or after it.
void PowerCutRun::plan_cut() {
  const std::uint64_t start = kit_.files.operations();
  const std::uint64_t at = options_.cut_at >= 0
                               ? start + static_cast<std::uint64_t>(options_.cut_at)
                               : start + draw(static_cast<std::size_t>(options_.steps) * 6);
  kit_.files.on_operation([this, at](const FakeFileSystem::Call& call) {
    if (call.number >= at) {
      is_cut_ = true;
      kit_.files.cut_power();
    }
  });
}

void PowerCutRun::live() {
  has_faults_ = !options_.plain && draw(3) == 0;
  // With several dirs another one's group may hold the acknowledgement and still be on its way;
  // after a failure it may have to go a second time.
  acks_are_strict_ = dirs_ == 1 && !has_faults_;
  for (int i = 0; i < options_.steps; ++i) {
    if (has_faults_ && draw(20) == 0) {
      inject_fault();
    }
    step();
  }
}

void PowerCutRun::inject_fault() {
  const Operation operations[] = {Operation::kWrite,  Operation::kSync, Operation::kAllocate,
                                  Operation::kRename, Operation::kOpen, Operation::kSyncDirectory};
  const Operation operation = operations[draw(std::size(operations))];
  kit_.files.fail(operation, draw(2) == 0 ? EIO : ENOSPC, draw(3), 1);
}

void PowerCutRun::step() {
  switch (draw(8)) {
    case 0:
    case 1:
    case 2:
      put();
      break;
    case 3:
    case 4:
      take();
      break;
    case 5:
      commit_some(false);
      break;
    case 6:
      draw(3) == 0 ? commit_some(true) : commit_some(false);
      break;
    default:
      draw(2) == 0 ? roll_back_some() : settle();
      break;
  }
}

std::string PowerCutRun::body(std::uint64_t event) {
  const std::size_t sizes[] = {0, 10, 300, 3000, 20'000};
  return fmt::format("{} ", event) +
         std::string(draw(sizes[draw(std::size(sizes))] + 1), static_cast<char>('a' + event % 26));
}

void PowerCutRun::put() {
  Batch events;
  std::vector<testing_kit::TestEvent> made;
  for (std::size_t count = 1 + draw(draw(4) == 0 ? 50 : 3); count > 0; --count) {
    events.push_back(bodies_.size());
    bodies_.push_back(body(events.back()));
    made.push_back({bodies_.back(), {{"number", std::to_string(events.back())}}});
  }
  {
    const std::lock_guard lock(mutex_);
    ++unanswered_;
    for (const std::uint64_t event : events) {
      fates_[event] = Fate::kOffered;
    }
  }
  const std::set<std::uint64_t> proven = acks_are_strict_ ? acknowledged_ : decltype(proven){};
  PutDone done = [this, events, proven](const Result<>& result) {
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
  };
  if (channel_->put(kit_.slabs.batch_of(made), done) != PutStatus::kAccepted) {
    const std::lock_guard lock(mutex_);
    --unanswered_;
  }
  if (draw(3) == 0) {
    settle();
  }
}

// Waits until all puts are answered; they must be, with or without power.
void PowerCutRun::settle() {
  std::unique_lock lock(mutex_);
  if (!answered_.wait_for(lock, kAnswerDeadline, [this] { return unanswered_ == 0; })) {
    complain(fmt::format("{} puts are not answered", unanswered_));
    unanswered_ = 0;
  }
}

PowerCutRun::Batch PowerCutRun::identify(const EventBatch& batch) {
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

void PowerCutRun::expect_order(const Batch& events) {
  for (const std::uint64_t event : events) {
    if (!seen_.insert(event).second) {
      complain(fmt::format("event {} was delivered twice in one life", event));
    }
    if (out_of_order_.erase(event) > 0) {
      continue;
    }
    if (event < next_in_order_ && dirs_ == 1) {
      complain(fmt::format("event {} came behind event {}", event, next_in_order_ - 1));
    }
    next_in_order_ = std::max(next_in_order_, event + 1);
    const std::lock_guard lock(mutex_);
    const auto fate = fates_.find(event);
    if (fate == fates_.end()) {
      complain(fmt::format("event {} came again although it had left for good", event));
      continue;
    }
    came_again_ += fate->second == Fate::kAcknowledged ? 1 : 0;
  }
}

void PowerCutRun::take() {
  const TakeLimit limit{1 + draw(30), kNoByteLimit};
  std::optional<Lease> lease = channel_->take(limit, kit_.clock.steady(), {});
  if (lease) {
    const Batch events = identify(*lease->batch);
    expect_order(events);
    leases_.push_back({std::move(*lease), events});
  }
}

void PowerCutRun::commit_some(bool hold_some) {
  const std::size_t count = leases_.empty() ? 0 : 1 + draw(leases_.size());
  std::vector<Lease> leases;
  std::vector<HeldEvent> held;
  std::set<std::uint64_t> kept;
  for (std::size_t i = 0; i < count; ++i) {
    leases.push_back(leases_[i].lease);
    for (std::size_t j = 0; hold_some && j < leases_[i].events.size(); ++j) {
      if (draw(3) == 0) {
        held.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
        kept.insert(leases_[i].events[j]);
      }
    }
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint64_t event : leases_[i].events) {
      if (kept.contains(event)) {
        seen_.erase(event);
        out_of_order_.insert(event);
      } else {
        fates_[event] = Fate::kAcknowledged;
        acknowledged_.insert(event);
      }
    }
  }
  channel_->commit(leases, held, kit_.clock.steady() + 1s);
  kit_.clock.advance(100ms);
  leases_.erase(leases_.begin(), leases_.begin() + static_cast<std::ptrdiff_t>(count));
}

void PowerCutRun::roll_back_some() {
  const std::size_t count = leases_.empty() ? 0 : 1 + draw(leases_.size());
  std::vector<Lease> leases;
  for (std::size_t i = leases_.size() - count; i < leases_.size(); ++i) {
    leases.push_back(leases_[i].lease);
    for (const std::uint64_t event : leases_[i].events) {
      seen_.erase(event);
      out_of_order_.insert(event);
    }
  }
  channel_->roll_back(leases);
  leases_.resize(leases_.size() - count);
}

// The end of a life: the power is cut, now if it was not before, or the channel stops in order.
void PowerCutRun::die() {
  kit_.files.on_operation(nullptr);
  const bool is_orderly = options_.cut_at < 0 && draw(5) == 0 && !has_faults_ && !is_cut_;
  if (is_orderly) {
    settle();
    channel_->stop();
    forget_acknowledged();
  }
  kit_.files.cut_power();
  channel_.reset();  // Answers what was still open.
  settle();
  leases_.clear();
  kit_.files.heal();
  kit_.files.restore_power();
  is_cut_ = false;
  if (!options_.plain && draw(6) == 0) {
    kit_.files.put("/check/channel.checkpoint", draw(2) == 0 ? "" : "MRCHKPNT damaged");
  }
}

void PowerCutRun::forget_acknowledged() {
  const std::lock_guard lock(mutex_);
  for (const std::uint64_t event : acknowledged_) {
    fates_.erase(event);
  }
  acknowledged_.clear();
}

// Opens the channel, takes all that is there and looks whether all is there that must be.
void PowerCutRun::check_survivors() {
  if (!open()) {
    return;
  }
  while (std::optional<Lease> lease =
             channel_->take({1000, kNoByteLimit}, kit_.clock.steady(), {})) {
    const Batch events = identify(*lease->batch);
    expect_order(events);
    leases_.push_back({std::move(*lease), events});
  }
  for (const auto& [event, fate] : fates_) {
    if (fate == Fate::kCommitted && !seen_.contains(event)) {
      complain(fmt::format("event {} was committed and is lost", event));
    }
  }
  const ChannelCounts counts = channel_->counts();
  if (counts.put != counts.acknowledged + counts.dropped + counts.held + counts.in_channel) {
    complain("conservation does not hold");
  }
  if (counts.in_channel + counts.held != seen_.size()) {
    complain(fmt::format("{} events are said to be in the channel, {} are", counts.in_channel,
                         seen_.size()));
  }
  const std::set<std::uint64_t> there = seen_;
  acknowledged_.clear();
  if (draw(2) == 0) {  // The next life begins with less in the channel.
    commit_some(false);
  }
  roll_back_some();
  channel_->stop();
  leases_.clear();
  fates_.clear();
  for (const std::uint64_t event : there) {
    if (!acknowledged_.contains(event)) {
      fates_[event] = Fate::kCommitted;
    }
  }
  acknowledged_.clear();
}

}  // namespace millrace
