// The channel's events as its takers see them: what waits in memory, what is leased, what is held.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "channel/file/event_ranges.h"
#include "channel/file/reckoning.h"
#include "core/channel.h"

namespace millrace::file_channel {

// Events [from, to) of a batch, which have consecutive numbers.
struct Chunk {
  BatchPtr batch;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  EventNumber first = 0;  // Number of event `from`.
  std::size_t cost = 0;   // Bytes of memory that it is held to pin.

  static Chunk whole(BatchPtr batch, EventNumber first);
  std::uint32_t size() const { return to - from; }
  EventRange numbers() const { return {first, first + size()}; }
  // Cuts off, and gives, the first `count` events.
  Chunk split(std::uint32_t count);
};

// The held events of one lease.
struct HeldPart {
  std::uint32_t lease = 0;               // Index into the leases of the commit.
  std::vector<std::uint32_t> positions;  // In the lease's batch, ascending.
  BatchPtr batch;                        // Just these events.
};

// Counts what is where; `live` is all that was accepted and has not left, in memory or not.
// Threads: under the channel's lock.
class Backlog {
 public:
  // What a recovery found. Nothing is in memory yet.
  void restore(const Reckoning& recovered);

  // Put side. An accepted put is in flight until it is durable or revoked.
  EventRange accept(std::uint64_t events);
  void made_durable(EventRange numbers) { in_flight_ -= numbers.count(); }
  void revoke(EventRange numbers);
  // The numbers of failed puts that the log is told of, so that it can be told from those that were
  // delivered: all below the first that is still in flight or in memory alone.
  VoidCount settled_voids() const { return settled_voids_; }
  bool has_new_voids() const { return !new_voids_.empty(); }
  // Counts those among them that can be; gives their ranges.
  std::vector<EventRange> settle_voids(const EventRanges& in_flight);

  // Events that the log does not get, unless the channel stops: in memory alone, and durable never.
  void accept_unlogged(BatchPtr batch);
  const EventRanges& unlogged() const { return unlogged_; }
  bool is_unlogged(const Lease& lease) const;
  // All of them, waiting, leased or held, in their order: in flight to the log from now on.
  std::vector<Chunk> log_all();
  void lost_on_the_way(EventRange numbers);  // Some of those, after they were revoked.

  // Take side, in the order of the numbers.
  void add_ready(Chunk chunk);
  std::optional<EventNumber> first_ready() const;
  // The first chunk, cut to the limit, under a new ticket.
  std::optional<std::pair<std::uint64_t, Chunk>> take(const TakeLimit& limit);
  // Gives the numbers that have left the log. `held` is in the order of the leases.
  std::vector<EventRange> commit(std::span<const Lease> leases, std::span<const HeldPart> held,
                                 SteadyTime held_until);
  void roll_back(std::span<const Lease> leases);
  // Held events whose time has come are ready again, or wanted back from the disk.
  void release_held(SteadyTime now);
  const EventRanges& wanted_back() const { return wanted_back_; }
  void came_back(EventRange numbers) { wanted_back_.remove(numbers); }
  std::optional<SteadyTime> next_release() const;

  // Events that cannot be read any more; gives how many of them were still in the channel.
  std::uint64_t lose(EventRange numbers);
  void count_dropped(std::uint64_t events) { dropped_ += events; }
  // Live numbers that are neither in memory nor in `elsewhere`.
  std::vector<EventRange> unaccounted(const EventRanges& elsewhere) const;

  const EventRanges& live() const { return live_; }
  // Numbers that are in the channel no more.
  std::vector<EventRange> gone() const { return live_.gaps({0, next_}); }
  EventNumber next() const { return next_; }
  std::uint64_t size() const { return live_.count(); }
  std::uint64_t logged() const { return live_.count() - unlogged_.count(); }
  std::uint64_t held() const { return held_events_; }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t void_numbers() const { return void_numbers_; }
  std::size_t memory() const { return memory_; }  // Bytes that ready, leased and held events pin.
  ChannelCounts counts() const;

 private:
  void hold(const HeldPart& part, const Chunk& leased, SteadyTime until);
  std::vector<EventRange> forget_unlogged(std::vector<EventRange> left);

  EventRanges live_;
  EventRanges unlogged_;  // Of the live ones.
  EventNumber next_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t void_numbers_ = 0;
  VoidCount settled_voids_;  // Of these,
  EventRanges new_voids_;    // and the rest.
  std::map<EventNumber, Chunk> ready_;
  std::unordered_map<std::uint64_t, Chunk> leased_;
  std::uint64_t next_ticket_ = 1;
  std::multimap<SteadyTime, Chunk> held_;
  std::uint64_t held_events_ = 0;
  EventRanges wanted_back_;
  std::size_t memory_ = 0;
};

}  // namespace millrace::file_channel
