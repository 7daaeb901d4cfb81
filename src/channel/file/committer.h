// The thread that makes the puts of one data dir durable.
#pragma once

#include <chrono>
#include <thread>

#include "channel/file/group_writer.h"
#include "channel/file/state.h"

namespace millrace::file_channel {

// A group is what waits, up to 2 MiB, with the acknowledgements of all dirs; these alone after
// 5 ms. Puts are answered, in order, when their group is durable or has failed for good. While no
// segment can be written the lane is blocked, and is tried again each second.
class Committer {
 public:
  Committer(State& state, Lane& lane);
  ~Committer();  // After State::closing was set: returns when all that was accepted is answered.

 private:
  // What one group holds beside the puts in Lane::writing.
  struct Group {
    std::vector<EventRange> acks;
    std::uint64_t ack_requests = 0;
    std::uint64_t dropped = 0;
    bool must_sync = false;
  };
  using Lock = std::unique_lock<std::mutex>;

  void run();
  bool next_group(Lock& lock, Group& group);
  bool acks_are_due() const;
  bool sync_is_due() const;
  void wait(Lock& lock);
  void take_puts(Group& group);
  void take_acks(Group& group);
  void commit(Group& group);
  void encode(const Group& group);
  void refuse(std::size_t index);
  void give_up(const PendingPut& put);
  void publish(const Group& group, const GroupPlace& place);
  void place_puts(const GroupPlace& place);
  void fail(const Group& group, const Error& error);
  void sync_only();
  void note_synced(const SegmentPtr& segment, std::uint64_t end);
  void try_to_unblock(Lock& lock);

  State& state_;
  Lane& lane_;
  GroupWriter writer_;
  std::vector<std::uint64_t> offsets_;  // Of the puts in the group.
  std::chrono::steady_clock::time_point last_sync_{};
  std::jthread thread_;
};

}  // namespace millrace::file_channel
