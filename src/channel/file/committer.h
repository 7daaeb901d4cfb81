// The thread that makes the puts of one data dir durable.
#pragma once

#include <thread>

#include "channel/file/group.h"
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
  using Lock = std::unique_lock<std::mutex>;

  void run();
  bool next_group(Lock& lock, Group& group);
  bool acks_are_due() const;
  bool sync_is_due() const;
  void wait(Lock& lock);
  void commit(Group& group);
  void encode(Group& group);
  void sync_only();
  void try_to_unblock(Lock& lock);

  State& state_;
  Lane& lane_;
  GroupWriter writer_;
  std::jthread thread_;
};

}  // namespace millrace::file_channel
