// `millrace channel forget`: goes on without a data dir that is gone for good.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "channel/file/forgetting.h"
#include "cli/channel/chosen.h"
#include "cli/channel/commands.h"
#include "cli/channel/summary_output.h"
#include "cli/times.h"
#include "cli/words.h"

namespace millrace {
namespace {

using file_channel::Loss;

constexpr const char* kCommand = "channel forget";

struct ForgetArguments {
  ChannelArguments channel;
  std::vector<std::string> dirs;
  bool yes = false;
};

void describe(Options& options, ForgetArguments& to) {
  options.rest("DIR", to.dirs, 1, "Data dirs that are gone for good, by the paths that they had.");
  describe_channel(options, to.channel);
  options.flag("--yes", to.yes, "Do it; without, it only says what is lost.");
  options.footer(
      "The last way out, when the disk of a data dir is dead: a channel does not start without one "
      "of its\ndirs, because its events would be lost in silence. They are given up, the channel "
      "goes on with the\nother dirs, and this one is refused should it ever come back. Stop the "
      "agent first.");
}

// What the checkpoint tells of the loss, and what it cannot.
std::string loss_text(const Loss& loss) {
  const file_channel::FoundCheckpoint& checkpoint = loss.view.checkpoint();
  if (!checkpoint.checkpoint) {
    return "  there is no checkpoint: nobody knows how many events are lost\n";
  }
  const auto written =
      std::chrono::duration_cast<std::chrono::milliseconds>(checkpoint.written.time_since_epoch());
  return fmt::format(
      "  lost: {} that the checkpoint of {} knows of; the next start counts them as dropped\n"
      "  lost too: what came in there since then; nobody knows how many events\n",
      counted(loss.events, "event"), time_text(written.count()));
}

void report(const ForgetArguments& arguments, const ChosenChannel& channel, const Loss& loss) {
  fmt::print("channel {} without {}:\n{}{}", channel.name, fmt::join(arguments.dirs, ", "),
             loss.view.has_damaged_checkpoint() ? checkpoint_troubles(loss.view) : "",
             loss_text(loss));
  fmt::print("  left: {}; some that were delivered may come again\n",
             counted(loss.events_left, "event"));
  for (const std::filesystem::path& dir : loss.taken_as_new) {
    fmt::print("  {} is named in dataDirs and empty: the next start takes it as a new dir\n",
               dir.string());
  }
  for (const std::filesystem::path& dir : loss.in_the_way) {
    fmt::print("  {} is named in dataDirs: take it out, or the next start fails\n", dir.string());
  }
  fmt::print("{}", arguments.yes ? "given up: the agent can start\n"
                                 : "nothing is changed yet: --yes gives it up\n");
}

}  // namespace

int run_channel_forget(const CommandLine& line) {
  ForgetArguments arguments;
  Options options(kCommand, "Goes on without a data dir that is gone for good.");
  describe(options, arguments);
  if (const auto status = parse(options, arguments.channel, line)) {
    return *status;
  }
  if (arguments.channel.files.empty() && arguments.channel.checkpoint_dir.empty()) {
    return options.refuse("--checkpoint-dir of the channel is needed too");
  }
  Result<ChosenChannel> channel = chosen_channel(arguments.channel, line.java);
  if (!channel.ok()) {
    return fail(kCommand, channel.error());
  }
  channel->folders.given_up.assign(arguments.dirs.begin(), arguments.dirs.end());
  const Result<Loss> loss =
      file_channel::forget_dirs(real_file_system(), channel->folders, arguments.yes);
  if (!loss.ok()) {
    return fail(kCommand, loss.error());
  }
  report(arguments, *channel, *loss);
  return kDone;
}

}  // namespace millrace
