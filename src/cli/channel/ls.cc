// `millrace channel ls`: the file channels of a configuration, a line each.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/channel/commands.h"
#include "cli/channel/summary_output.h"
#include "cli/times.h"
#include "cli/words.h"

namespace millrace {
namespace {

constexpr std::size_t kColumns = 7;
using Row = std::array<std::string, kColumns>;

std::string time_or_dash(std::int64_t epoch_ms) {
  return epoch_ms > 0 ? time_text(epoch_ms) : "-";
}

Row row_of(const ChannelSummary& channel) {
  return {channel.name,
          with_commas(channel.counts.in_channel),
          size_text(channel.bytes),
          with_commas(channel.segments),
          time_or_dash(channel.times.oldest),
          time_or_dash(channel.times.newest),
          state_text(channel.view)};
}

void print(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < kColumns; ++i) {
      const bool is_figure = i >= 1 && i <= 3;
      line += is_figure ? fmt::format("{:>{}}  ", row[i], widths[i])
                        : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    fmt::print("{}{}\n", line, row.back());
  }
}

int list(const std::vector<ChosenChannel>& channels) {
  int status = kDone;
  std::vector<Row> rows{
      {"CHANNEL", "EVENTS", "BYTES", "SEGMENTS", "OLDEST PUT", "NEWEST PUT", "STATE"}};
  std::vector<Error> errors;
  std::string troubles;
  for (const ChosenChannel& channel : channels) {
    Result<ChannelSummary> summary = summarize(real_file_system(), channel);
    if (summary.ok()) {
      rows.push_back(row_of(*summary));
      if (summary->view.has_damaged_checkpoint()) {
        troubles +=
            fmt::format("channel {}:\n{}", channel.name, checkpoint_troubles(summary->view));
      }
    } else {
      rows.push_back({channel.name, "?", "?", "?", "-", "-", "cannot be read"});
      errors.push_back(summary.error());
      status = kFailedAtWork;
    }
  }
  print(rows);
  std::fflush(stdout);
  fmt::print(stderr, "{}", troubles);
  for (const Error& error : errors) {
    fail("channel ls", error);
  }
  return status;
}

}  // namespace

int run_channel_ls(const CommandLine& line) {
  ChannelArguments arguments;
  Options options("channel ls", "Lists file channels: what is in them, since when, in use or not.");
  describe_channels(options, arguments);
  options.footer(
      "EVENTS are in the channel; BYTES are on disk, of the segments that hold them. OLDEST PUT "
      "is of the\nfirst event in the channel, NEWEST PUT of the last one ever put. Changes "
      "nothing, takes no lock.");
  if (const auto status = parse(options, arguments, line)) {
    return *status;
  }
  const auto channels = chosen_channels(arguments, line.java);
  return channels.ok() ? list(*channels) : fail("channel ls", channels.error());
}

}  // namespace millrace
