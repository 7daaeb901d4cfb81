#include "cli/channel/summary.h"

#include <fmt/core.h>

#include "channel/file/backlog.h"

namespace millrace {
namespace {

using file_channel::ChannelView;
using file_channel::DirContents;
using file_channel::SegmentContents;

FileTotal files_in(FileSystem& files, const std::filesystem::path& folder) {
  FileTotal total;
  const auto names = files.list(folder);
  for (const std::string& name : names.ok() ? *names : std::vector<std::string>()) {
    Result<FileStatus> status = files.status(folder / name);
    ++total.files;
    total.bytes += status.ok() ? status->size : 0;
  }
  return total;
}

SegmentLine line_of(const ChannelView& view, const DirContents& dir,
                    const SegmentContents& segment) {
  const bool is_last = &segment == &dir.segments.back();
  return {segment.found.path.filename().string(), segment.found.header.order, segment.numbers,
          std::max(segment.end, segment.durable_end),
          view.holds_events(segment) ? "needed"
          : is_last && view.is_live  ? "written to"
                                     : "recyclable"};
}

DirSummary summarize_dir(FileSystem& files, const ChannelView& view, std::size_t i) {
  const file_channel::FoundDir& found = view.found[i];
  DirSummary dir;
  dir.path = found.path;
  for (const SegmentContents& segment : view.log.dirs[i].segments) {
    dir.segments.push_back(line_of(view, view.log.dirs[i], segment));
  }
  dir.spares = found.spares.size();
  for (const std::filesystem::path& path : found.headless) {
    dir.headless.push_back(path.filename().string());
  }
  dir.quarantine = files_in(files, found.path / "quarantine");
  return dir;
}

}  // namespace

Result<ChannelSummary> summarize(FileSystem& files, const ChosenChannel& channel) {
  ChannelSummary summary;
  summary.name = channel.name;
  summary.view = TRY(file_channel::view_channel(files, channel.folders));
  summary.times = TRY(file_channel::put_times(files, summary.view));
  file_channel::Backlog backlog;  // Counts as the channel itself does after a start.
  backlog.restore(summary.view.log.events);
  summary.counts = backlog.counts();
  for (std::size_t i = 0; i < summary.view.found.size(); ++i) {
    summary.dirs.push_back(summarize_dir(files, summary.view, i));
    for (const SegmentLine& segment : summary.dirs.back().segments) {
      ++summary.segments;
      summary.bytes += segment.state == "recyclable" ? 0 : segment.bytes;
    }
  }
  return summary;
}

std::string state_text(const ChannelView& view) {
  if (view.holder) {
    return fmt::format("live: held by pid {}", *view.holder);
  }
  return view.is_live ? "live: somebody writes to it" : "stopped";
}

}  // namespace millrace
