// What a file channel owes: knows of each event what was promised, and complains of what comes
// back, or does not, against it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/channel.h"
#include "core/testing.h"

namespace millrace {

// How well the channel's counters are known over a time in which things went wrong.
enum class Books {
  kExact,    // Each event is counted once.
  kBounded,  // Failed puts and a lost checkpoint may leave some counted that no source knows of.
  kLost,     // Events that were not synced are gone; nobody can tell how many.
};

// A value: a copy is what was promised at that instant. Threads: its owner's lock.
class ChannelModel {
 public:
  using Events = std::vector<std::uint64_t>;  // By their numbers, which a source gives in order.
  // A batch that was offered, and what had left the channel before.
  struct Offer {
    Events events;
    std::uint64_t left_before = 0;
  };

  // `name`: what complaints begin with.
  explicit ChannelModel(std::string name) : name_(std::move(name)) {}
  void rename(std::string name) { name_ = std::move(name); }

  // Lives. A channel is being opened: nothing of it is delivered yet.
  void begin_life();
  void opened();       // All that it has is durable.
  void was_killed();   // What was written is there, durable or not.
  void lost_power();   // What was not synced may be gone.
  void has_stopped();  // In order: what left the channel has left for good.
  // Another one is there, or none. What had left by the last one's word alone may come again; what
  // had come again after it was acknowledged may be gone, by the word of an older one.
  void changed_checkpoint();

  // Puts. A new event has its number and its source's in its body.
  std::uint64_t make_event(std::size_t source, std::size_t padding);
  testing_kit::TestEvent event(std::uint64_t number) const;
  Offer offered(Events events);
  void refused(const Offer& offer);  // Not accepted.
  // `synced`: an ok says that it is durable. `proves`: and so is that what left before has left.
  void answered(const Offer& offer, bool ok, bool synced, bool proves);

  // Takes.
  Events delivered(const EventBatch& batch);
  void given_back(const Events& events);  // Rolled back: they come again, in order.
  void held(const Events& events);        // They may come late.
  void acknowledged(const Events& events);
  void dropped(const Events& events);  // Left undelivered, and counted so.

  // All that the channel has was delivered in this life, and nothing of it has left. From now on it
  // owes this, and nothing else.
  void settle(const ChannelCounts& counts, Books books);
  // The channel is empty and has counted all that ever was in it.
  void expect_counts(const ChannelCounts& counts, const ChannelCounts& expected);

  void complain(const std::string& what);
  const std::vector<std::string>& complaints() const { return complaints_; }
  std::uint64_t made() const { return padding_.size(); }
  std::uint64_t came_again() const { return came_again_; }

 private:
  enum class Fate {
    kOffered,       // Put, and not answered.
    kDoubtful,      // Never answered, or with an error: may come back.
    kWritten,       // Answered, before it was synced: comes back unless the power goes.
    kCommitted,     // Must come back.
    kAcknowledged,  // Committed out of the channel: may come back once more.
  };

  std::string body_of(std::uint64_t number) const;
  void expect(std::uint64_t event);
  void expect_order(std::uint64_t event);
  void leave_for_good(std::uint64_t up_to);
  void check_books(const ChannelCounts& counts, Books books, std::uint64_t doubtful);

  std::string name_;
  std::vector<std::uint32_t> padding_;  // Of each event, and its source.
  std::vector<std::uint8_t> sources_;
  std::map<std::uint64_t, Fate> fates_;                   // Of all that is not gone.
  std::uint64_t leavings_ = 0;                            // Counts acknowledgements.
  std::deque<std::pair<std::uint64_t, Events>> leaving_;  // Not known to be durable.
  std::set<std::uint64_t> left_;      // Has left, or failed; perhaps a checkpoint alone knows.
  std::set<std::uint64_t> returned_;  // Came again after it was acknowledged.

  // This life.
  std::set<std::uint64_t> seen_;  // Delivered and not given back.
  std::map<std::size_t, std::uint64_t> next_;
  std::set<std::uint64_t> out_of_order_;

  // Since the counters were last looked at.
  ChannelCounts counted_;
  std::uint64_t committed_ = 0;
  std::uint64_t uninvited_ = 0;  // Came back although their put was not answered with ok.
  std::uint64_t failed_ = 0;     // Puts answered with an error, or never.
  std::uint64_t dropped_ = 0;
  std::uint64_t vanished_ = 0;  // Failed and never came back, since the channel was made.

  std::uint64_t came_again_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace millrace
