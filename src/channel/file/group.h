// The puts and acknowledgements that are written together: how they are chosen, and what becomes of
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "channel/file/group_writer.h"
#include "channel/file/intents.h"
#include "channel/file/log_writer.h"
#include "core/channel.h"

namespace millrace::file_channel {

struct State;
struct Lane;

struct PendingPut {
  BatchPtr batch;
  EventRange numbers;
  PutDone done;
};

struct Group {
  std::vector<PendingPut> puts;
  std::vector<EventRange> acks;
  Intents intents;
  std::uint64_t first_ack = 0;  // The oldest request of acknowledgements in it; 0 for none.
  std::uint64_t dropped = 0;
  VoidCount voids;
  bool must_sync = false;
  GroupWriter bytes;
  GroupPlace place;  // No segment as long as it is not written.
};
using GroupPtr = std::unique_ptr<Group>;

// Fills `group` with what waits for this lane, up to 2 MiB of puts, and the acknowledgements of all
// lanes, and makes it the last of Lane::writing. The lock is held.
Group& take_group(State& state, Lane& lane, bool must_sync, GroupPtr group);

// The rest is called without the lock, by the lane's committer. Puts are answered in order.

// The groups of Lane::writing that lie before `end` are written, and durable if they had to be:
// their events are in the channel. Gives the groups back, emptied.
std::vector<GroupPtr> groups_succeeded(State& state, Lane& lane, std::uint64_t end);
// Nothing of all that the lane was to write counts as written: the numbers are void, the
// acknowledgements go elsewhere, and the lane is blocked.
void lane_failed(State& state, Lane& lane, const Error& error);
// The put at `index` of `group` does not fit into the format.
void refuse_put(State& state, Group& group, std::size_t index);

// All of the lane's log up to `end` of `segment` is synced. The lock is held.
void note_synced(Lane& lane, const SegmentPtr& segment, std::uint64_t end);

}  // namespace millrace::file_channel
