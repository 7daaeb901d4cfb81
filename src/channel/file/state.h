// What the threads of one file channel share.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "channel/file/backlog.h"
#include "channel/file/checkpoint.h"
#include "channel/file/group.h"
#include "channel/file/intents.h"
#include "channel/file/log_writer.h"
#include "channel/file/options.h"
#include "channel/file/segment.h"
#include "channel/file/sleeping_takers.h"
#include "core/component.h"

namespace millrace::file_channel {

// From where on a dir's events are on disk alone.
struct Unread {
  SegmentPtr segment;
  std::uint64_t offset = 0;
  EventNumber least = 0;  // None of them has a smaller number.
};

// One data dir. Under the channel's lock but for `log`, which has rules of its own.
struct Lane {
  std::filesystem::path path;
  Id directory;
  std::unique_ptr<LogWriter> log;

  std::deque<PendingPut> pending;  // Accepted, for the next groups.
  std::size_t pending_bytes = 0;
  static constexpr std::size_t kAwake = SIZE_MAX;
  std::size_t wake_at_bytes = kAwake;  // Pending ones, at which the committer is woken.
  std::deque<GroupPtr> writing;     // Being made durable, oldest first; its committer's to change.
  std::deque<SegmentPtr> segments;  // Oldest first; the last may still be written to.
  std::uint64_t last_order = 0;     // The highest order of a segment so far.
  std::optional<Unread> unread;
  bool loading = false;                                   // A taker reads from `unread` on.
  int failed_reads = 0;                                   // In a row.
  std::chrono::steady_clock::time_point load_again_at{};  // After a failed read.

  // Up to where all is synced, for checkpoints; and what lies behind it, when puts are answered
  // before they are synced.
  std::uint64_t synced_order = 0;
  std::uint64_t synced_offset = kFirstRecord;
  EventRanges unsynced;
  std::chrono::steady_clock::time_point last_sync{};

  bool is_for_parking = false;  // For what is in memory alone at a stop; no other put goes there.
  bool blocked = false;         // No segment can be written: puts go to other dirs, or are refused.
  std::string trouble;          // What was wrong last; empty when it works.
  std::condition_variable work;
};

// What callbacks are to be run once the lock is gone.
using Wakes = std::vector<std::function<void()>>;

struct State {
  State(Options options_in, Services& services_in, MetricGroup& metrics_in);

  const Options options;
  Services& services;
  Counter& put_errors;
  Counter& take_errors;
  Counter& checkpoint_errors;
  Counter& backup_errors;

  std::mutex mutex;  // Guards all that follows; no other lock but a log's own is taken under it.
  bool open = false;
  bool closing = false;
  Id channel;
  Backlog backlog;
  std::vector<std::unique_ptr<Lane>> lanes;

  // Puts.
  std::size_t turn = 0;             // The lane that puts go to now,
  std::size_t turn_bytes = 0;       // and how much of its turn is over.
  std::size_t in_flight_bytes = 0;  // Of puts accepted and not answered.
  std::vector<std::function<void()>> room_wanted;
  std::uint64_t least_refused = UINT64_MAX;  // Events of the smallest put that was refused.

  Intents intents;  // What sinks have committed.

  // Acknowledgements and intents that are not in the log yet: they go into one record.
  EventRanges acks;
  Intents new_intents;
  std::uint64_t ack_requests = 0;  // Counts what was added to them.
  std::uint64_t first_ack = 0;     // The oldest request that they hold; 0 for none.
  bool acks_urgent = false;        // A checkpoint waits for them.
  std::chrono::steady_clock::time_point acks_since{};
  std::condition_variable acks_written;

  // Takes.
  SleepingTakers takers;
  bool recalling = false;                                   // A taker reads held events back.
  std::chrono::steady_clock::time_point recall_again_at{};  // After a failed read.
  bool must_reconcile = false;  // When all is read, events that were not found are lost.

  bool checkpoint_wanted = false;
  std::condition_variable checkpoint_work;

  // The rest is called under the lock.
  // The lane for a put of `bytes`; null when none can write.
  Lane* lane_for_put(std::size_t bytes);
  bool has_room(std::uint64_t events, std::size_t bytes) const;
  // Takes the callbacks of sources that may put again.
  Wakes wakes_due();
  // Notes numbers that have left, and intents, and sees to it that they are written.
  void add_acks(std::span<const EventRange> ranges, const Intents& intents_of_them = {});
  bool has_acks() const { return !acks.empty() || !new_intents.empty(); }
  Lane* lane_for_acks() const;
  // Counts the numbers of failed puts before which nothing is undecided any more, and has the log
  // told of them.
  void settle_voids();
  // How many of ack_requests are written, all of them.
  std::uint64_t acks_durable() const;
  // Numbers of puts that are not durable.
  EventRanges in_flight() const;
  // The next events are ready, and some that were put before them are still on their way to the
  // log.
  bool next_waits_for_log() const;
  bool anything_unread() const;
};

// Without the lock.
void run_all(const Wakes& wakes);

}  // namespace millrace::file_channel
