#include "processor/load_balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/registry.h"
#include "processor/rest_time.h"

namespace millrace {
namespace {

// Failures that are no further apart than a rest and this are taken to be of one kind.
constexpr auto kOneSpell = std::chrono::hours(1);
constexpr int kMostFailures = 16;

}  // namespace

void LoadBalanceConfig::check(ConfigCheck& check) const {
  if (sinks.size() < 2) {
    check.fault("sinks", "load_balance needs two sinks or more");
  }
  if (most_rest != kMostRest && !back_off) {
    check.warn("processor.selector.maxTimeOut", "has no effect without processor.backoff = true");
  }
}

LoadBalanceProcessor::LoadBalanceProcessor(const Config& config, SinkProcessorContext context)
    : names_(std::move(context.sinks)),
      is_random_(config.selector == "random"),
      back_off_(config.back_off),
      parallel_(config.parallel),
      most_rest_(config.most_rest.count() == 0 ? LoadBalanceConfig::kMostRest : config.most_rest),
      members_(names_.size()) {}

// In turn: each transaction begins with the sink behind the one that the last began with.
std::vector<std::size_t> LoadBalanceProcessor::order(SteadyTime now) {
  std::vector<std::size_t> order;
  for (std::size_t sink = 0; sink < members_.size(); ++sink) {
    if (members_[sink].rests_until <= now) {
      order.push_back(sink);
    }
  }
  if (is_random_) {
    std::shuffle(order.begin(), order.end(), random_);
  } else if (!order.empty()) {
    const std::size_t begin = next_ < order.size() ? next_ : 0;
    next_ = (begin + 1) % order.size();
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(begin), order.end());
  }
  return order;
}

// As in Flume a delivery does not end a spell of failures: a sink that fails now and then rests
// longer each time, until an hour passes without.
void LoadBalanceProcessor::note(std::size_t sink, Turn turn, SteadyTime now) {
  if (turn != Turn::kFailed || !back_off_) {
    return;
  }
  Member& member = members_[sink];
  const bool goes_on = member.failed_at &&
                       now - *member.failed_at < rest_time(member.failures, most_rest_) + kOneSpell;
  member.failures = goes_on ? std::min(member.failures + 1, kMostFailures) : 1;
  member.failed_at = now;
  member.rests_until = now + rest_time(member.failures, most_rest_);
}

SinkStanding LoadBalanceProcessor::standing(std::size_t sink, SteadyTime now) const {
  const Member& member = members_[sink];
  return {member.rests_until <= now, member.failures, member.rests_until};
}

std::string LoadBalanceProcessor::plan() const {
  const std::string_view turns = is_random_ ? "at random" : "in turn";
  const std::string_view at_once =
      parallel_ ? "is tried again after 1 s, later 5 s" : "is passed over that once";
  return fmt::format("{} {}; one that fails {}", fmt::join(names_, ", "),
                     parallel_ ? "side by side" : turns,
                     back_off_ ? rest_text(most_rest_) : at_once);
}

const RegisterSinkProcessor<LoadBalanceProcessor> entry{
    "load_balance", "org.apache.flume.sink.LoadBalancingSinkProcessor",
    "The sinks of the group get transactions in turn or at random."};

}  // namespace millrace
