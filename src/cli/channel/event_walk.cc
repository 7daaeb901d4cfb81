#include "cli/channel/event_walk.h"

#include "cli/progress.h"

namespace millrace {
namespace {

using file_channel::CheckedPut;
using file_channel::EventRanges;

// What is not whole goes to `unfit`.
Result<> take_put(const CheckedPut& put, const EventChoice& wanted,
                  const std::function<Result<>(const ChannelEvent&)>& take, WalkCounts& counts,
                  EventRanges& unfit) {
  for (std::uint32_t i = 0; i < put.header.entries; ++i) {
    const file_channel::EventNumber number = put.header.first + i;
    counts.timeless += put.header.time_ms > 0 ? 0 : 1;
    if (!wanted(number, put.header.time_ms) || counts.found.contains(number)) {
      continue;  // A copied segment has the same once more.
    }
    if (i >= put.events.size() || !put.events[i]) {
      unfit.add({number, number + 1});
      continue;
    }
    TRY(take({number, put.header.time_ms, put.events[i]->headers, put.events[i]->body}));
    counts.found.add({number, number + 1});
  }
  return {};
}

}  // namespace

Result<WalkCounts> walk_events(FileSystem& files, const file_channel::ChannelView& view,
                               const file_channel::SegmentChoice& segments,
                               const EventChoice& wanted,
                               const std::function<Result<>(const ChannelEvent&)>& take) {
  file_channel::PutMerge puts(files, view, segments);
  ProgressDisplay display(puts.planned_bytes(), ProgressUnit::kBytes);
  WalkCounts counts;
  EventRanges unfit;
  while (const CheckedPut* const put = TRY(puts.next())) {
    if (put->header.first >= view.log.events.next) {
      continue;
    }
    counts.first = counts.first.value_or(put->header);
    TRY(take_put(*put, wanted, take, counts, unfit));
    display.show(puts.bytes());
  }
  display.end(puts.bytes());
  const file_channel::LogTally tally = puts.tally();
  counts.gone = tally.gone;
  for (const file_channel::Finding& finding : tally.findings) {
    if (finding.is_damage()) {  // Not what was never acknowledged, or is being written.
      counts.damaged.add(unfit.common(finding.events));
    }
  }
  return counts;
}

}  // namespace millrace
