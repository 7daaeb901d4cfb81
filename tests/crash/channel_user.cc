#include "channel_user.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "base/check.h"
#include "config/diagnostics.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kAtOnce = 1000;  // Events of a lease.
constexpr std::size_t kNoByteLimit = std::size_t{1} << 30;
constexpr std::chrono::seconds kPatience{20};

}  // namespace

ChannelUser::ChannelUser(ChannelModel model, Services& services, MetricGroup& metrics,
                         SlabPool& slabs)
    : services_(services), metrics_(metrics), space_(slabs), model_(std::move(model)) {}

ChannelUser::~ChannelUser() {
  channel_.reset();
}

// ---- Lives ----

Result<> ChannelUser::open(const ChannelShape& shape) {
  PropertySection section;
  for (const auto& [key, value] : shape.keys) {
    section.set({.key = key, .value = value});
  }
  Diagnostics diagnostics;
  const auto config = bind<FileChannelConfig>(section, diagnostics, common_channel_keys());
  CHECK(config.has_value());
  syncs_ = shape.syncs;
  with_model([](ChannelModel& model) { model.begin_life(); });
  channel_ = std::make_unique<FileChannel>(
      *config, ChannelContext{"crash", services_, metrics_, shape.memory_share});
  Result<> started = channel_->start();
  if (started.ok()) {
    with_model([](ChannelModel& model) { model.opened(); });
  } else {
    channel_.reset();
  }
  return started;
}

ChannelCounts ChannelUser::stop() {
  leases_.clear();
  channel_->stop();
  expect_answers();
  with_model([](ChannelModel& model) { model.has_stopped(); });
  const ChannelCounts counts = channel_->counts();
  channel_.reset();
  return counts;
}

void ChannelUser::leave() {
  channel_.reset();  // Answers what was still open.
  expect_answers();
  leases_.clear();
}

// ---- Puts ----

void ChannelUser::put(std::size_t source, const std::vector<std::size_t>& paddings, bool proves) {
  EventBatch::Builder builder(space_);
  ChannelModel::Offer offer;
  {
    const std::lock_guard lock(mutex_);
    ChannelModel::Events events;
    for (const std::size_t padding : paddings) {
      events.push_back(model_.make_event(source, padding));
      const testing_kit::TestEvent event = model_.event(events.back());
      HeaderEditor headers;
      for (const auto& [key, value] : event.headers) {
        headers.set(key, value);
      }
      const std::string_view body = builder.store_body(event.body);
      builder.add(body, builder.store_headers(headers));
    }
    offer = model_.offered(std::move(events));
    ++unanswered_;
  }
  PutDone done = answer_to(offer, proves);
  if (channel_->put(builder.seal(), done) != PutStatus::kAccepted) {
    const std::lock_guard lock(mutex_);
    model_.refused(offer);
    --unanswered_;
  }
}

PutDone ChannelUser::answer_to(const ChannelModel::Offer& offer, bool proves) {
  return [this, offer, proves](const Result<>& result) {
    const std::lock_guard lock(mutex_);
    model_.answered(offer, result.ok(), syncs_, proves);
    --unanswered_;
    answered_.notify_all();
  };
}

void ChannelUser::expect_answers() {
  std::unique_lock lock(mutex_);
  if (!answered_.wait_for(lock, kPatience, [this] { return unanswered_ == 0; })) {
    model_.complain(fmt::format("{} puts are not answered", unanswered_));
    unanswered_ = 0;
  }
}

// ---- Takes ----

bool ChannelUser::take(std::size_t events) {
  std::optional<Lease> lease = channel_->take({events, kNoByteLimit}, services_.clock.steady(), {});
  if (!lease) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  leases_.push_back({*lease, model_.delivered(*lease->batch)});
  return true;
}

std::vector<Lease> ChannelUser::leases_of(std::size_t from, std::size_t to) const {
  std::vector<Lease> leases;
  for (std::size_t i = from; i < to; ++i) {
    leases.push_back(leases_[i].lease);
  }
  return leases;
}

void ChannelUser::commit(std::size_t count, bool drop) {
  const std::vector<Lease> leases = leases_of(0, count);
  std::size_t events = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::lock_guard lock(mutex_);
    events += leases_[i].events.size();
    drop ? model_.dropped(leases_[i].events) : model_.acknowledged(leases_[i].events);
  }
  if (drop) {
    channel_->count_dropped(events);
  }
  channel_->commit(leases, {}, services_.clock.steady());
  leases_.erase(leases_.begin(), leases_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ChannelUser::commit_and_hold(std::size_t count, std::size_t keep_one_in) {
  const std::vector<Lease> leases = leases_of(0, count);
  std::vector<HeldEvent> held;
  for (std::uint32_t i = 0; i < count; ++i) {
    ChannelModel::Events kept;
    ChannelModel::Events gone;
    for (std::uint32_t j = 0; j < leases_[i].events.size(); ++j) {
      const bool stays = leases_[i].events[j] % keep_one_in == 0;
      (stays ? kept : gone).push_back(leases_[i].events[j]);
      if (stays) {
        held.push_back({i, j});
      }
    }
    const std::lock_guard lock(mutex_);
    model_.held(kept);
    model_.acknowledged(gone);
  }
  channel_->commit(leases, held, services_.clock.steady() + 1s);
  leases_.erase(leases_.begin(), leases_.begin() + static_cast<std::ptrdiff_t>(count));
}

void ChannelUser::roll_back(std::size_t count) {
  const std::size_t from = leases_.size() - count;
  const std::vector<Lease> leases = leases_of(from, leases_.size());
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = from; i < leases_.size(); ++i) {
      model_.given_back(leases_[i].events);
    }
  }
  channel_->roll_back(leases);
  leases_.resize(from);
}

// ---- All of it ----

bool ChannelUser::take_all(Books books, const std::atomic<bool>& is_cut) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::size_t taken = 0;
  const auto is_missing = [&] {
    const ChannelCounts counts = channel_->counts();
    return counts.in_channel + counts.held > taken;
  };
  do {
    while (take(kAtOnce)) {
      taken += leases_.back().events.size();
    }
    if (is_cut) {
      return false;
    }
    std::this_thread::sleep_for(is_missing() ? 1ms : 0ms);  // A failed read is tried again later.
  } while (is_missing() && std::chrono::steady_clock::now() < end);
  const ChannelCounts counts = channel_->counts();
  with_model([&](ChannelModel& model) { model.settle(counts, books); });
  return true;
}

}  // namespace millrace
