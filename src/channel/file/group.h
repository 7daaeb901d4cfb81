// The puts and acknowledgements that one write and one sync make durable: how they are chosen, and
// what becomes of them.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/file/state.h"

namespace millrace::file_channel {

// Its puts are in Lane::writing.
struct Group {
  std::vector<EventRange> acks;
  std::uint64_t dropped = 0;
  bool must_sync = false;
  std::vector<std::uint64_t> offsets;  // Of the puts in the group's bytes, once these are made.
};

// What waits for this lane, up to 2 MiB of puts, and the acknowledgements of all lanes. The lock is
// held.
Group take_group(State& state, Lane& lane, bool must_sync);

// The rest is called without the lock, by the lane's committer. Puts are answered in order.

// The group is written, and durable if it had to be: its events are in the channel.
void group_succeeded(State& state, Lane& lane, const Group& group, const GroupPlace& place);
// Nothing of the group counts as written: its numbers are void, its acknowledgements go elsewhere,
// and the lane is blocked.
void group_failed(State& state, Lane& lane, const Group& group, const Error& error);
// The put at `index` of Lane::writing does not fit into the format.
void refuse_put(State& state, Lane& lane, std::size_t index);

// All of the lane's log up to `end` of `segment` is synced. The lock is held.
void note_synced(Lane& lane, const SegmentPtr& segment, std::uint64_t end);

}  // namespace millrace::file_channel
