#include "cli/verify/tallies.h"

#include <utility>

#include "cli/hammer/event_text.h"

namespace millrace {

void Tallies::expect(const HammerReport& report) {
  want_run(report.run);
  result_.range_was_sent = true;
  for (const FlowReport& flow : report.hammers) {
    Hammer& hammer = runs_[report.run].hammers[flow.hammer];
    hammer.expected = std::make_unique<Expected>(Expected{flow.first, flow.next, flow.unsettled});
  }
}

void Tallies::want_run(const std::string& run) {
  runs_[run].wanted = true;
  some_wanted_ = true;
}

void Tallies::add(std::string_view text) {
  const std::optional<HammerEvent> event = find_hammer_event(text);
  if (!event) {
    ++result_.other;
    return;
  }
  if (run_ == nullptr || event->run != run_name_) {
    choose(event->run);
  }
  if (some_wanted_ && !run_->wanted) {
    ++result_.other_runs;
    return;
  }
  if (!event->whole) {
    ++result_.cut;
    return;
  }
  if (hammer_ == nullptr || event->hammer != hammer_number_) {
    hammer_number_ = event->hammer;
    hammer_ = &run_->hammers[event->hammer];
  }
  hammer_->checker.add(event->number, event->copy);
}

void Tallies::choose(std::string_view run) {
  run_name_ = run;
  auto found = runs_.find(run);
  if (found == runs_.end()) {
    found = runs_.emplace(run_name_, Run{}).first;
  }
  run_ = &found->second;
  hammer_ = nullptr;
}

void Tallies::note(FileNote note) {
  ++result_.note_count;
  if (result_.notes.size() < VerifyResult::kMostNotes) {
    result_.notes.push_back(std::move(note));
  }
}

VerifyResult Tallies::finish(std::uint64_t start) {
  for (auto& [run_name, run] : runs_) {
    for (auto& [number, hammer] : run.hammers) {
      result_.hammers.push_back({run_name, number,
                                 hammer.expected ? hammer.checker.finish(*hammer.expected)
                                                 : hammer.checker.finish(start)});
    }
  }
  return std::move(result_);
}

std::size_t Tallies::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& run : runs_) {
    for (const auto& hammer : run.second.hammers) {
      bytes += hammer.second.checker.memory_bytes();
    }
  }
  return bytes;
}

}  // namespace millrace
