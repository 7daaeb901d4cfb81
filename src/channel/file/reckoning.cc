#include "channel/file/reckoning.h"

#include <algorithm>

namespace millrace::file_channel {
namespace {

void remove_all(EventRanges& from, const EventRanges& what) {
  for (const EventRange& range : what.all()) {
    from.remove(range);
  }
}

}  // namespace

Reckoning reckon(const std::optional<Checkpoint>& checkpoint, bool fits, const LogReading& log) {
  Reckoning result;
  result.next = std::max(log.puts.upper_bound(), log.acks.upper_bound());
  result.dropped = log.dropped;
  result.intents = log.intents;
  EventRanges possible;  // Numbers whose fate the log alone tells.
  EventRanges lost;
  if (checkpoint) {
    result.next = std::max(result.next, checkpoint->next);
    result.dropped = std::max(result.dropped, checkpoint->dropped);
    if (fits) {
      result.intents.add(checkpoint->intents);
    }
    for (const EventRange& range : checkpoint->live) {
      (fits ? result.live : lost).add(range);
    }
  }
  if (checkpoint && (fits || checkpoint->next > log.voids.below)) {
    result.void_numbers = checkpoint->void_numbers;
    possible.add({checkpoint->next, result.next});
    for (const EventRange& range : checkpoint->in_flight) {
      possible.add(range);
    }
  } else {
    result.void_numbers = log.voids.numbers;
    possible.add({std::min(log.voids.below, result.next), result.next});
  }
  for (const EventRange& range : log.puts.all()) {
    lost.remove(range);
    for (const EventRange& part : fits ? possible.within(range) : std::vector<EventRange>{range}) {
      result.live.add(part);
    }
    possible.remove(range);
  }
  remove_all(result.live, log.acks);
  remove_all(lost, log.acks);
  if (!fits) {
    remove_all(possible, log.acks);  // Put and delivered, as far as anybody can tell.
  }
  result.void_numbers += possible.count();  // Given to puts that never became durable.
  // A failed put that came back counts as one that did not fail.
  result.void_numbers = std::min(result.void_numbers, result.next - result.live.count());
  result.lost = lost.count();
  result.dropped += result.lost;
  return result;
}

}  // namespace millrace::file_channel
