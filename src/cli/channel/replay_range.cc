#include "cli/channel/replay_range.h"

#include <charconv>
#include <optional>

#include "cli/times.h"

namespace millrace {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return is_whole && number < UINT64_MAX - 1 ? std::optional(number) : std::nullopt;
}

// A number goes to `number`, a time to `time_ms`.
Result<> parse_end(std::string_view option, std::string_view text, std::uint64_t& number,
                   std::int64_t& time_ms) {
  if (const auto found = parse_number(text)) {
    number = *found;
    return {};
  }
  if (const auto found = parse_time(text)) {
    time_ms = *found;
    return {};
  }
  if (text.ends_with("ms")) {
    const auto found = parse_number(text.substr(0, text.size() - 2));
    if (found && *found <= static_cast<std::uint64_t>(INT64_MAX)) {
      time_ms = static_cast<std::int64_t>(*found);
      return {};
    }
  }
  return rejected(std::string(option) + ": \"" + std::string(text) +
                  "\" is no number, no time such as 2026-11-30T18:01:02Z, and no milliseconds "
                  "since 1970 such as 1796061662500ms");
}

}  // namespace

Result<ReplayRange> parse_range(const std::string& from, const std::string& to) {
  ReplayRange range;
  TRY(parse_end("--from", from, range.first, range.from_ms));
  if (!to.empty()) {
    TRY(parse_end("--to", to, range.last, range.to_ms));
  }
  if (range.last < range.first || range.to_ms < range.from_ms) {
    return rejected("--to lies before --from");
  }
  return range;
}

}  // namespace millrace
