#include "channel/file/channel_check.h"

#include <algorithm>

#include "channel/file/put_merge.h"

namespace millrace::file_channel {
namespace {

Result<LogTally> read_all(FileSystem& files, const ChannelView& view,
                          const CheckProgress& progress) {
  PutMerge puts(files, view, [](const SegmentContents& segment) { return segment.is_needed; });
  const std::uint64_t whole = puts.planned_bytes();
  while (TRY(puts.next()) != nullptr) {
    progress(puts.bytes(), whole);
  }
  return puts.tally();
}

// What is in the channel still: of a channel in use some of it has left while we read. Nothing when
// the log moves too fast to tell.
std::optional<EventRanges> still_live(FileSystem& files, const ChannelFolders& folders,
                                      const ChannelView& view) {
  if (!view.is_live) {
    return view.log.events.live;
  }
  Result<ChannelView> now = view_channel(files, folders);
  if (view.is_blurred || !now.ok() || now->is_blurred) {
    return std::nullopt;
  }
  return view.log.events.live.common(now->log.events.live);
}

}  // namespace

bool ChannelCheck::is_clean() const {
  return damaged.empty() && missing.empty() && lost == 0 && headless.empty() &&
         duplicates.empty() && !has_damaged_checkpoint &&
         std::none_of(tally.findings.begin(), tally.findings.end(), [](const Finding& finding) {
           return finding.is_damage() && !finding.is_set_aside;
         });
}

Result<ChannelCheck> check_channel(FileSystem& files, const ChannelFolders& folders,
                                   const ChannelView& view, const CheckProgress& progress) {
  ChannelCheck check;
  check.tally = TRY(read_all(files, view, progress));
  check.lost = view.log.events.lost;
  for (const FoundDir& dir : view.found) {
    check.duplicates.insert(check.duplicates.end(), dir.copies.begin(), dir.copies.end());
    check.headless.insert(check.headless.end(), dir.headless.begin(), dir.headless.end());
  }
  check.has_damaged_checkpoint = view.has_damaged_checkpoint();
  const std::optional<EventRanges> live = still_live(files, folders, view);
  check.knows_missing = live.has_value();
  check.missing = live.value_or(EventRanges());
  check.missing.remove(check.tally.whole);
  for (const Finding& finding : check.tally.findings) {
    check.missing.remove(finding.events);
    if (finding.is_damage()) {
      check.damaged.add(finding.events.common(view.log.events.live));
    }
  }
  // A copy of them elsewhere is as good.
  check.damaged.remove(check.tally.whole);
  return check;
}

}  // namespace millrace::file_channel
