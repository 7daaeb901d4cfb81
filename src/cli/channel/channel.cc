// `millrace channel`: looks into file channels, stopped or in use.
#include <array>

#include "cli/channel/commands.h"
#include "cli/subcommands.h"

namespace millrace {
namespace {

constexpr std::array kCommands{
    Command{"ls", "List file channels: events, bytes, age, in use or not.", run_channel_ls},
    Command{"show", "Tell what is in a channel, and in its folders.", run_channel_show},
    Command{"verify", "Read a channel whole and check every checksum.", run_channel_verify},
    Command{"export", "Write its events out, as JSON lines or Avro.", run_channel_export},
    Command{"replay", "Send events again that are still on disk.", run_channel_replay},
    Command{"import", "Move what is in a Flume file channel into one of ours.", run_channel_import},
    Command{"forget", "Give up a data dir that is gone for good.", run_channel_forget},
};

}  // namespace

int run_channel(const CommandLine& line) {
  return run_subcommand(
      "channel",
      "Looks into file channels. A channel in use is read beside its agent: nothing is locked or "
      "changed.\nOnly import and forget write, into a channel that no agent uses.",
      kCommands, line);
}

}  // namespace millrace
