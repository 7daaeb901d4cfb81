#include "cli/channel/summary_output.h"

#include <fmt/format.h>

#include <span>

#include "cli/times.h"
#include "cli/words.h"
#include "web/json_text.h"

namespace millrace {
namespace {

using file_channel::ChannelView;
using file_channel::CheckpointDir;
using file_channel::EventRange;
using file_channel::EventRanges;
using file_channel::FoundCheckpoint;

constexpr std::size_t kMostRanges = 5;
constexpr std::size_t kMostSegments = 12;  // Of a data dir, as text.

std::int64_t epoch_ms(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

double age_seconds(const FoundCheckpoint& checkpoint, std::int64_t now_ms) {
  return static_cast<double>(std::max<std::int64_t>(0, now_ms - epoch_ms(checkpoint.written))) /
         1e3;
}

std::string range_text(const EventRange& range) {
  return range.count() == 1 ? fmt::format("{}", range.first)
                            : fmt::format("{}..{}", range.first, range.end - 1);
}

std::string counts_text(const ChannelSummary& channel) {
  const ChannelCounts& counts = channel.counts;
  std::string text = fmt::format("  put {} = acknowledged {} + dropped {} + in channel {}\n",
                                 with_commas(counts.put), with_commas(counts.acknowledged),
                                 with_commas(counts.dropped), with_commas(counts.in_channel));
  if (counts.in_channel > 0) {
    text += fmt::format("  numbers in it: {}\n", ranges_text(channel.view.log.events.live));
  }
  const auto time = [](std::int64_t ms) { return ms > 0 ? time_text(ms) : "unknown"; };
  if (counts.put > 0) {
    text += counts.in_channel > 0
                ? fmt::format("  first of them put {}, last put {}\n", time(channel.times.oldest),
                              time(channel.times.newest))
                : fmt::format("  last put {}\n", time(channel.times.newest));
  }
  return text;
}

std::string name_of(const ChannelView& view, const FoundCheckpoint& checkpoint) {
  return view.checkpoints.size() > 1 ? "checkpoint in " + checkpoint.dir.string() : "checkpoint";
}

// Why it is not used, and what is.
std::string trouble_text(const ChannelView& view, const FoundCheckpoint& checkpoint) {
  const FoundCheckpoint& used = view.checkpoint();
  return checkpoint.trouble + (used.trouble.empty()
                                   ? "; the one in " + used.dir.string() + " is used"
                                   : "; the log alone tells what is in the channel");
}

std::string checkpoint_text(const ChannelView& view, const FoundCheckpoint& checkpoint,
                            std::int64_t now_ms) {
  std::string text = "  " + name_of(view, checkpoint) + ": ";
  if (checkpoint.checkpoint) {
    text += fmt::format("{:.1f} s old, up to number {}{}", age_seconds(checkpoint, now_ms),
                        checkpoint.checkpoint->next, checkpoint.is_unfit() ? ", not used: " : "");
  }
  return text + (checkpoint.trouble.empty() ? "" : trouble_text(view, checkpoint)) + "\n";
}

std::string segment_text(const SegmentLine& segment) {
  return fmt::format("    {}  order {}  {:>9}  {}{}\n", segment.file, segment.order,
                     size_text(segment.bytes), segment.state,
                     segment.numbers.empty() ? "" : "  numbers " + range_text(segment.numbers));
}

std::string dir_text(const DirSummary& dir) {
  std::uint64_t bytes = 0;
  std::string segments;
  const std::size_t left_out =
      dir.segments.size() > kMostSegments ? dir.segments.size() - kMostSegments : 0;
  for (std::size_t i = 0; i < dir.segments.size(); ++i) {
    bytes += dir.segments[i].bytes;
    if (left_out == 0 || i < kMostSegments / 2 || i >= dir.segments.size() - kMostSegments / 2) {
      segments += segment_text(dir.segments[i]);
    } else if (i == kMostSegments / 2) {
      segments += fmt::format("    … {} more; --json has all\n", left_out);
    }
  }
  std::string text = fmt::format("  {}: {}, {}", dir.path.string(),
                                 counted(dir.segments.size(), "segment"), size_text(bytes));
  if (dir.spares > 0) {
    text += fmt::format(", {}", counted(dir.spares, "spare"));
  }
  if (dir.quarantine.files > 0) {
    text += fmt::format(", quarantine {} in {}", size_text(dir.quarantine.bytes),
                        counted(dir.quarantine.files, "file"));
  }
  for (const std::string& file : dir.headless) {
    segments += fmt::format("    {}  its header is damaged\n", file);
  }
  return text + "\n" + segments;
}

std::string json_of(const EventRanges& numbers) {
  std::string text;
  for (const EventRange& range : numbers.all()) {
    text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", range.first, range.end - 1);
  }
  return "[" + text + "]";
}

std::string json_of_time(std::int64_t ms) {
  return ms > 0 ? json_string(time_text(ms)) : "null";
}

std::string json_of(const FoundCheckpoint& checkpoint, std::int64_t now_ms) {
  const std::string start =
      fmt::format(R"({{"dir": {}, "used": {}, "trouble": {})", json_string(checkpoint.dir.string()),
                  checkpoint.trouble.empty(), json_string(checkpoint.trouble));
  if (!checkpoint.checkpoint) {
    return start + "}";
  }
  std::string dirs;
  for (const CheckpointDir& dir : checkpoint.checkpoint->dirs) {
    dirs += fmt::format(R"({}{{"directory": "{}", "order": {}, "offset": {}}})",
                        dirs.empty() ? "" : ", ", dir.directory.to_string(), dir.order, dir.offset);
  }
  return start + fmt::format(R"(, "written": {}, "age_seconds": {:.3f}, "next": {}, )"
                             R"("positions": [{}]}})",
                             json_of_time(epoch_ms(checkpoint.written)),
                             age_seconds(checkpoint, now_ms), checkpoint.checkpoint->next, dirs);
}

std::string json_of(const DirSummary& dir) {
  std::string segments;
  for (const SegmentLine& segment : dir.segments) {
    EventRanges numbers;
    numbers.add(segment.numbers);
    segments += fmt::format(
        R"({}      {{"file": {}, "order": {}, "bytes": {}, "state": "{}", "numbers": {}}})",
        segments.empty() ? "\n" : ",\n", json_string(segment.file), segment.order, segment.bytes,
        segment.state, json_of(numbers));
  }
  std::string headless;
  for (const std::string& file : dir.headless) {
    headless += (headless.empty() ? "" : ", ") + json_string(file);
  }
  return fmt::format(
      "    {{\"path\": {}, \"spares\": {}, \"quarantine_files\": {}, \"quarantine_bytes\": {}, "
      "\"damaged_headers\": [{}], \"segments\": [{}]}}",
      json_string(dir.path.string()), dir.spares, dir.quarantine.files, dir.quarantine.bytes,
      headless, segments);
}

}  // namespace

std::string ranges_text(const EventRanges& numbers) {
  std::string text;
  const std::vector<EventRange> all = numbers.all();
  for (std::size_t i = 0; i < std::min(all.size(), kMostRanges); ++i) {
    text += (i > 0 ? ", " : "") + range_text(all[i]);
  }
  return all.size() > kMostRanges ? text + fmt::format(", … in {} ranges", with_commas(all.size()))
                                  : text;
}

std::string checkpoint_troubles(const ChannelView& view) {
  std::string text;
  for (const FoundCheckpoint& each : view.checkpoints) {
    if (!each.trouble.empty()) {
      text += fmt::format("  {}: {}\n", name_of(view, each), trouble_text(view, each));
    }
  }
  return text;
}

std::string to_text(const ChannelSummary& channel, std::int64_t now_ms) {
  std::string text =
      fmt::format("channel {} ({}): {}\n", channel.name, channel.view.identity.channel.to_string(),
                  state_text(channel.view));
  if (channel.view.is_blurred) {
    text += "  the log moved each time it was read: figures may not fit one another\n";
  }
  text += counts_text(channel);
  for (const FoundCheckpoint& each : channel.view.checkpoints) {
    text += checkpoint_text(channel.view, each, now_ms);
  }
  for (const DirSummary& dir : channel.dirs) {
    text += dir_text(dir);
  }
  return text;
}

std::string to_json(const ChannelSummary& channel, std::int64_t now_ms) {
  const ChannelView& view = channel.view;
  std::string dirs;
  for (const DirSummary& dir : channel.dirs) {
    dirs += (dirs.empty() ? "\n" : ",\n") + json_of(dir);
  }
  std::string others;
  for (const FoundCheckpoint& each : std::span(view.checkpoints).subspan(1)) {
    others += (others.empty() ? "" : ", ") + json_of(each, now_ms);
  }
  const ChannelCounts& counts = channel.counts;
  return fmt::format(
      "{{\"channel\": {}, \"id\": \"{}\", \"live\": {}, \"pid\": {}, \"blurred\": {},\n"
      "  \"put\": {}, \"acknowledged\": {}, \"dropped\": {}, \"in_channel\": {}, \"next\": {},\n"
      "  \"numbers\": {},\n  \"oldest_put\": {}, \"newest_put\": {},\n  \"checkpoint\": {},\n"
      "  \"other_checkpoints\": [{}],\n"
      "  \"data_dirs\": [{}]}}",
      json_string(channel.name), view.identity.channel.to_string(), view.is_live,
      view.holder ? std::to_string(*view.holder) : "null", view.is_blurred, counts.put,
      counts.acknowledged, counts.dropped, counts.in_channel, view.log.events.next,
      json_of(view.log.events.live), json_of_time(channel.times.oldest),
      json_of_time(channel.times.newest), json_of(view.checkpoint(), now_ms), others, dirs);
}

}  // namespace millrace
