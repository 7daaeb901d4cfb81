#include "power_cut_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Operation = FakeFileSystem::Operation;

constexpr std::size_t kNoByteLimit = std::size_t{1} << 30;

}  // namespace

PowerCutRun::PowerCutRun(PowerCutOptions options)
    : options_(options), random_(options.seed), model_(options.seed) {
  choose_shape();
}

PowerCutRun::~PowerCutRun() {
  kit_.files.on_operation(nullptr);
  channel_.reset();
}

std::size_t PowerCutRun::draw(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
}

void PowerCutRun::choose_shape() {
  dirs_ = options_.plain ? 1 : 1 + draw(3);
  keys_ = {{"checkpointDir", "/check"},
           {"dataDirs", dirs_ == 1 ? "/a" : dirs_ == 2 ? "/a,/b" : "/a,/b,/c"},
           {"maxFileSize", "65536"},
           {"minimumRequiredSpace", "1048576"},
           {"checkpointInterval", "1000"},
           {"checkpointOnClose", draw(2) == 0 ? "true" : "false"}};
  kit_.files.put("/keys/k1", std::string(16, 'x'));
  kit_.files.put("/keys/k2", std::string(32, 'y'));
  memory_share_ = options_.plain || draw(2) == 0 ? std::size_t{1} << 26 : std::size_t{1} << 14;
}

// Encrypted or not, with one key or the other, whatever the life before had.
void PowerCutRun::choose_key() {
  constexpr const char* kActive[] = {"NONE", "k1", "k2"};
  keys_["encryption.activeKey"] = kActive[draw(std::size(kActive))];
  keys_["encryption.keyProvider"] = "FILE";
  keys_["encryption.keyProvider.keys"] = "k1 k2";
  keys_["encryption.keyProvider.keys.k1.file"] = "/keys/k1";
  keys_["encryption.keyProvider.keys.k2.file"] = "/keys/k2";
}

bool PowerCutRun::open() {
  choose_key();
  PropertySection section;
  for (const auto& [key, value] : keys_) {
    section.set({.key = key, .value = value});
  }
  Diagnostics diagnostics;
  const auto config = bind<FileChannelConfig>(section, diagnostics, common_channel_keys());
  channel_ = std::make_unique<FileChannel>(
      *config, ChannelContext{"power", kit_.services, kit_.metrics.group("CHANNEL", "power"),
                              memory_share_});
  model_.begin_life(dirs_ == 1);
  const Result<> started = channel_->start();
  if (!started.ok() && !is_cut_) {
    model_.complain("the channel does not start: " + started.error().message());
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
  return complaints().empty();
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
      draw(2) == 0 ? roll_back_some() : model_.expect_answers();
      break;
  }
}

void PowerCutRun::put() {
  constexpr std::size_t kSizes[] = {0, 10, 300, 3000, 20'000};
  Batch events;
  std::vector<testing_kit::TestEvent> made;
  for (std::size_t count = 1 + draw(draw(4) == 0 ? 50 : 3); count > 0; --count) {
    events.push_back(model_.make_event(draw(kSizes[draw(std::size(kSizes))] + 1)));
    made.push_back(model_.event(events.back()));
  }
  PutDone done = model_.offer(events, acks_are_strict_);
  if (channel_->put(kit_.slabs.batch_of(made), done) != PutStatus::kAccepted) {
    model_.take_back_offer();
  }
  if (draw(3) == 0) {
    model_.expect_answers();
  }
}

void PowerCutRun::take() {
  const TakeLimit limit{1 + draw(30), kNoByteLimit};
  std::optional<Lease> lease = channel_->take(limit, kit_.clock.steady(), {});
  if (lease) {
    const Batch events = model_.delivered(*lease->batch);
    leases_.push_back({std::move(*lease), events});
  }
}

void PowerCutRun::commit_some(bool hold_some) {
  const std::size_t count = leases_.empty() ? 0 : 1 + draw(leases_.size());
  std::vector<Lease> leases;
  std::vector<HeldEvent> held;
  Batch kept;
  Batch gone;
  for (std::uint32_t i = 0; i < count; ++i) {
    leases.push_back(leases_[i].lease);
    for (std::uint32_t j = 0; j < leases_[i].events.size(); ++j) {
      const bool is_held = hold_some && draw(3) == 0;
      (is_held ? kept : gone).push_back(leases_[i].events[j]);
      if (is_held) {
        held.push_back({i, j});
      }
    }
  }
  model_.given_back(kept);
  model_.acknowledged(gone);
  channel_->commit(leases, held, kit_.clock.steady() + 1s);
  kit_.clock.advance(100ms);
  leases_.erase(leases_.begin(), leases_.begin() + static_cast<std::ptrdiff_t>(count));
}

void PowerCutRun::roll_back_some() {
  const std::size_t count = leases_.empty() ? 0 : 1 + draw(leases_.size());
  std::vector<Lease> leases;
  for (std::size_t i = leases_.size() - count; i < leases_.size(); ++i) {
    leases.push_back(leases_[i].lease);
    model_.given_back(leases_[i].events);
  }
  channel_->roll_back(leases);
  leases_.resize(leases_.size() - count);
}

// The end of a life: the power is cut, now if it was not before, or the channel stops in order.
void PowerCutRun::die() {
  kit_.files.on_operation(nullptr);
  const bool is_orderly = options_.cut_at < 0 && draw(5) == 0 && !has_faults_ && !is_cut_;
  if (is_orderly) {
    model_.expect_answers();
    channel_->stop();
    model_.forget_acknowledged();
  }
  kit_.files.cut_power();
  channel_.reset();  // Answers what was still open.
  model_.expect_answers();
  leases_.clear();
  kit_.files.heal();
  kit_.files.restore_power();
  is_cut_ = false;
  if (!options_.plain && draw(6) == 0) {
    kit_.files.put("/check/channel.checkpoint", draw(2) == 0 ? "" : "MRCHKPNT damaged");
  }
}

// Opens the channel, takes all that is there and looks whether all is there that must be.
void PowerCutRun::check_survivors() {
  if (!open()) {
    return;
  }
  while (std::optional<Lease> lease =
             channel_->take({1000, kNoByteLimit}, kit_.clock.steady(), {})) {
    const Batch events = model_.delivered(*lease->batch);
    leases_.push_back({std::move(*lease), events});
  }
  model_.check_survivors(channel_->counts());
  if (draw(2) == 0) {  // The next life begins with less in the channel.
    commit_some(false);
  }
  roll_back_some();
  channel_->stop();
  leases_.clear();
  model_.owe_survivors();
}

}  // namespace millrace
