#include "cli/channel/check_output.h"

#include <fmt/format.h>

#include <span>

#include "cli/channel/summary_output.h"
#include "cli/words.h"
#include "web/json_text.h"

namespace millrace {
namespace {

using file_channel::ChannelCheck;
using file_channel::ChannelView;
using file_channel::Finding;

std::string finding_text(const Finding& finding) {
  std::string text = fmt::format("  {} bytes {}..{}: {}", finding.path.string(), finding.bytes.from,
                                 finding.bytes.to - 1, to_string(finding.kind));
  if (!finding.events.empty()) {
    text += fmt::format(": {}, {}", counted(finding.events.count(), "event"),
                        ranges_text(finding.events));
  }
  return text + (finding.is_set_aside ? "; set aside before\n" : "\n");
}

std::string counts_text(const ChannelView& view, const ChannelCheck& check) {
  const file_channel::LogTally& tally = check.tally;
  std::string text = fmt::format("  read {} in {}: {} with {}, {}\n", size_text(tally.bytes),
                                 counted(tally.segments, "segment"), counted(tally.puts, "put"),
                                 counted(tally.whole.count(), "whole event"),
                                 counted(tally.acknowledgements, "acknowledgement"));
  if (tally.gone > 0) {
    text += fmt::format("  {} written over by the agent before they were read\n",
                        counted(tally.gone, "segment"));
  }
  const std::uint64_t live = view.log.events.live.count();
  text += fmt::format("  in the channel {}: {} damaged, {} missing\n", counted(live, "event"),
                      with_commas(check.damaged.count()),
                      check.knows_missing ? with_commas(check.missing.count()) : "unknown");
  if (!check.missing.empty()) {
    text += fmt::format("  missing: {}\n", ranges_text(check.missing));
  }
  return text;
}

// Of what lies outside of the records.
std::string files_text(const ChannelCheck& check) {
  std::string text;
  for (const std::filesystem::path& path : check.headless) {
    text += fmt::format("  {}: its header is damaged, nothing in it can be used\n", path.string());
  }
  for (const std::filesystem::path& path : check.duplicates) {
    text += fmt::format("  {}: a copy of another segment of its folder\n", path.string());
  }
  if (check.lost > 0) {
    text += fmt::format("  {} that the checkpoint knew are not in the log\n",
                        counted(check.lost, "event"));
  }
  return text;
}

template <class List, class Text>
std::string json_list(const List& list, const Text& text) {
  std::string json;
  for (const auto& each : list) {
    json += (json.empty() ? "" : ", ") + text(each);
  }
  return "[" + json + "]";
}

std::string json_of(const file_channel::EventRanges& numbers) {
  return json_list(numbers.all(), [](const file_channel::EventRange& range) {
    return fmt::format("[{}, {}]", range.first, range.end - 1);
  });
}

std::string json_of(const Finding& finding) {
  return fmt::format(R"({{"file": {}, "from": {}, "to": {}, "what": "{}", "damage": {}, )"
                     R"("set_aside": {}, "events": {}}})",
                     json_string(finding.path.string()), finding.bytes.from, finding.bytes.to,
                     to_string(finding.kind), finding.is_damage(), finding.is_set_aside,
                     json_of(finding.events));
}

}  // namespace

std::string to_text(const std::string& channel, const ChannelView& view,
                    const ChannelCheck& check) {
  std::string text = fmt::format("channel {}: {}: {}\n", channel, state_text(view),
                                 check.is_clean() ? "clean" : "damaged");
  text += counts_text(view, check);
  for (const Finding& finding : check.tally.findings) {
    text += finding_text(finding);
  }
  return text + files_text(check) + checkpoint_troubles(view);
}

std::string to_json(const std::string& channel, const ChannelView& view,
                    const ChannelCheck& check) {
  const file_channel::LogTally& tally = check.tally;
  const auto path = [](const std::filesystem::path& each) { return json_string(each.string()); };
  const std::span others = std::span(view.checkpoints).subspan(1);
  const auto checkpoint = [](const file_channel::FoundCheckpoint& each) {
    return fmt::format(R"({{"dir": {}, "trouble": {}}})", json_string(each.dir.string()),
                       json_string(each.trouble));
  };
  return fmt::format(
      "{{\"channel\": {}, \"live\": {}, \"pid\": {}, \"clean\": {},\n"
      "  \"segments\": {}, \"bytes\": {}, \"puts\": {}, \"acknowledgements\": {}, "
      "\"whole_events\": {},\n"
      "  \"in_channel\": {}, \"damaged\": {}, \"missing\": {}, \"lost\": {}, \"gone_segments\": "
      "{},\n"
      "  \"checkpoint\": {}, \"other_checkpoints\": {}, \"damaged_headers\": {}, \"duplicates\": "
      "{},\n  \"findings\": {}}}",
      json_string(channel), view.is_live, view.holder ? std::to_string(*view.holder) : "null",
      check.is_clean(), tally.segments, tally.bytes, tally.puts, tally.acknowledgements,
      tally.whole.count(), view.log.events.live.count(), json_of(check.damaged),
      check.knows_missing ? json_of(check.missing) : "null", check.lost, tally.gone,
      json_string(view.checkpoint().trouble), json_list(others, checkpoint),
      json_list(check.headless, path), json_list(check.duplicates, path),
      json_list(tally.findings, [](const Finding& finding) { return json_of(finding); }));
}

}  // namespace millrace
