#include "processor/failover.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/registry.h"
#include "processor/rest_time.h"

namespace millrace {
namespace {

constexpr std::string_view kPriority = "processor.priority.";

std::optional<int> whole_number(const std::string& text) {
  FieldMarks marks;
  std::int32_t number = 0;
  return parse_value(text, marks, number).ok() ? std::optional<int>(number) : std::nullopt;
}

std::string key_of(const std::string& sink) {
  return std::string(kPriority) + sink;
}

}  // namespace

std::vector<FailoverConfig::Rank> FailoverConfig::ranks(
    const std::vector<std::string>& names) const {
  std::vector<Rank> all;
  std::map<int, std::string> taken;
  int behind = 0;
  for (const std::string& name : names) {
    const auto given = priorities.find(name);
    const std::optional<int> number =
        given == priorities.end() ? std::nullopt : whole_number(given->second);
    const int priority = number ? *number : --behind;
    const auto [place, is_free] = taken.emplace(priority, name);
    all.push_back({name, priority,
                   is_free ? std::string()
                           : fmt::format("sink {} has the priority {} already: {} is never used",
                                         place->second, priority, name)});
  }
  return all;
}

void FailoverConfig::check(ConfigCheck& check) const {
  const auto is_member = [this](const std::string& name) {
    return std::find(sinks.begin(), sinks.end(), name) != sinks.end();
  };
  for (const auto& [name, text] : priorities) {
    if (!is_member(name)) {
      check.warn(key_of(name), fmt::format("sink {} is not in the group", name));
    } else if (!whole_number(text)) {
      check.warn(key_of(name), "expected a whole number: the sink comes behind the others");
    }
  }
  for (const Rank& rank : ranks(sinks)) {
    if (priorities.count(rank.sink) == 0) {
      check.warn(key_of(rank.sink),
                 fmt::format("is missing: sink {} comes behind those that have one, as {}",
                             rank.sink, rank.priority));
    }
    if (!rank.why_unused.empty()) {
      check.warn(key_of(rank.sink), rank.why_unused);
    }
  }
}

FailoverProcessor::FailoverProcessor(const Config& config, const SinkProcessorContext& context)
    : most_rest_(config.most_rest) {
  for (FailoverConfig::Rank& rank : config.ranks(context.sinks)) {
    if (rank.why_unused.empty()) {
      ranked_.push_back(members_.size());
    }
    members_.push_back({std::move(rank), 0, {}});
  }
  std::sort(ranked_.begin(), ranked_.end(), [this](std::size_t a, std::size_t b) {
    return members_[a].rank.priority > members_[b].rank.priority;
  });
}

std::vector<std::size_t> FailoverProcessor::order(SteadyTime now) {
  std::vector<std::size_t> order;
  for (const std::size_t sink : ranked_) {
    if (!works(sink) && members_[sink].rests_until <= now) {
      order.push_back(sink);
    }
  }
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return members_[a].rests_until < members_[b].rests_until;
  });
  for (const std::size_t sink : ranked_) {
    if (works(sink)) {
      order.push_back(sink);
    }
  }
  return order;
}

// One that was given nothing to deliver has not shown that it works again.
void FailoverProcessor::note(std::size_t sink, Turn turn, SteadyTime now) {
  Member& member = members_[sink];
  if (turn == Turn::kDelivered) {
    member.failures = 0;
    member.rests_until = {};
  } else if (turn == Turn::kFailed) {
    ++member.failures;
    member.rests_until = now + rest_time(member.failures, most_rest_);
  }
}

SinkStanding FailoverProcessor::standing(std::size_t sink, SteadyTime) const {
  const auto active = std::find_if(ranked_.begin(), ranked_.end(),
                                   [this](std::size_t ranked) { return works(ranked); });
  return {active != ranked_.end() && *active == sink, members_[sink].failures,
          members_[sink].rests_until};
}

std::string FailoverProcessor::plan() const {
  std::string text;
  for (const std::size_t sink : ranked_) {
    const FailoverConfig::Rank& rank = members_[sink].rank;
    text +=
        fmt::format("{}{} (priority {})", text.empty() ? "" : ", then ", rank.sink, rank.priority);
  }
  return text + "; one that fails " + rest_text(most_rest_);
}

const RegisterSinkProcessor<FailoverProcessor> entry{
    "failover", "org.apache.flume.sink.FailoverSinkProcessor",
    "The sink of the highest priority gets everything; while it fails, the next one does."};

}  // namespace millrace
