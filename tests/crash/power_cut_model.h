// What a channel owes after a power cut: knows of each event what was promised, and complains of
// what comes back, or does not, against it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/channel.h"
#include "core/testing.h"

namespace millrace {

// Threads: the run's; puts are answered on any.
class PowerCutModel {
 public:
  using Batch = std::vector<std::uint64_t>;  // Numbers of events.

  explicit PowerCutModel(std::uint64_t seed) : seed_(seed) {}

  // The channel was opened: nothing of it is delivered yet. With one data dir events come in order.
  void begin_life(bool in_order);

  // Puts. A new event has its number in its body and in a header.
  std::uint64_t make_event(std::size_t padding);
  testing_kit::TestEvent event(std::uint64_t number) const;
  // What the channel is to call for a batch that is offered to it now. `proves_commits`: a good
  // answer says that all that left the channel before now has left for good.
  PutDone offer(const Batch& events, bool proves_commits);
  void take_back_offer();  // The channel did not accept it.
  void expect_answers();   // Waits until all puts are answered; they must be.

  // Takes.
  Batch delivered(const EventBatch& batch);
  void given_back(const Batch& events);  // Rolled back or held: they may come late.
  void acknowledged(const Batch& events);
  // The channel has stopped in order: what left it has left for good.
  void forget_acknowledged();

  // After a cut, when all that the channel had was delivered.
  void check_survivors(const ChannelCounts& counts);
  // The channel has stopped in order behind that: of what came back, it has what was not
  // acknowledged since.
  void owe_survivors();

  void complain(const std::string& what);
  const std::vector<std::string>& complaints() const { return complaints_; }
  std::uint64_t offered() const { return bodies_.size(); }
  std::uint64_t came_again() const { return came_again_; }

 private:
  enum class Fate {
    kOffered,       // Put, and not answered, or answered with an error: may come back.
    kCommitted,     // Put and answered: must come back.
    kAcknowledged,  // Committed out of the channel: may come back once more.
  };

  void answer(const Result<>& result, const Batch& events, const std::set<std::uint64_t>& proven);
  Batch identify(const EventBatch& batch);
  void expect(std::uint64_t event);

  const std::uint64_t seed_;
  std::mutex mutex_;  // Guards these four.
  std::condition_variable answered_;
  std::size_t unanswered_ = 0;
  std::map<std::uint64_t, Fate> fates_;  // Of all that is not gone.

  std::set<std::uint64_t> acknowledged_;  // Since the last proof that they are durable.
  std::vector<std::string> bodies_;
  std::set<std::uint64_t> seen_;  // Delivered in this life and not given back.
  std::set<std::uint64_t> survivors_;
  bool in_order_ = true;
  std::uint64_t next_in_order_ = 0;
  std::set<std::uint64_t> out_of_order_;
  std::uint64_t came_again_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace millrace
