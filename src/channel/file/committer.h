// The thread that makes the puts of one data dir durable.
#pragma once

#include <thread>
#include <vector>

#include "channel/file/group.h"
#include "channel/file/state.h"
#include "channel/file/syncer.h"

namespace millrace::file_channel {

// A group is what waits, up to 2 MiB, with the acknowledgements of all dirs; these alone after
// 5 ms. While the disk syncs one group the next is made and written, so that the disk never waits.
// Puts are answered, in order, when their group is durable or has failed for good. While no segment
// can be written the lane is blocked, and is tried again each second.
class Committer {
 public:
  Committer(State& state, Lane& lane);
  ~Committer();  // After State::closing was set: returns when all that was accepted is answered.

 private:
  using Lock = std::unique_lock<std::mutex>;

  void run();
  bool is_over(Lock& lock);
  bool group_is_due() const;
  bool acks_are_due() const;
  bool sync_is_due() const;
  void wait(Lock& lock);

  // Without the lock.
  void commit(Group& group);
  void encode(Group& group);
  Result<> append(Group& group);
  void make_durable(const Group& group);
  void settle(Syncer::Outcome outcome);
  Result<> write_again();
  void answer(std::uint64_t end);
  void fail(const Error& error);
  void report(const Error& error) const;
  void wait_for_syncer();
  void finish_syncs();
  void sync_only();
  void try_to_unblock(Lock& lock);

  State& state_;
  Lane& lane_;
  std::vector<GroupPtr> idle_;  // Kept for their memory.
  std::uint64_t unsynced_ = 0;  // Bytes that wait for the sync under way, or the next one.
  Syncer syncer_;
  bool tried_at_close_ = false;  // To write although the lane is blocked.
  std::jthread thread_;
};

}  // namespace millrace::file_channel
