// Which channels a command is about: those of a configuration file, or one by its folders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "channel/file/channel_view.h"
#include "channel/file/config.h"
#include "cli/fail.h"
#include "cli/java_flags.h"
#include "cli/options.h"

namespace millrace {

struct ChannelArguments {
  std::vector<std::string> files;
  std::string agent;
  std::string checkpoint_dir;
  std::string backup_checkpoint_dir;
  std::string data_dirs;
  std::vector<std::string> names;  // Of channels; empty: all.
};
void describe_channels(Options& options, ChannelArguments& to);
// Those of a configuration alone.
void describe_agents_channels(Options& options, ChannelArguments& to);
// One, by -c: for commands that take other words than channels.
void describe_channel(Options& options, ChannelArguments& to);
// As Options::parse(); refuses also a line that names no channel.
std::optional<int> parse(Options& options, const ChannelArguments& channels,
                         const CommandLine& line);
// Refuses a line that names channels in two ways.
std::optional<int> refuse_mixture(const Options& options, const ChannelArguments& channels);

struct ChosenChannel {
  std::string name;  // As the configuration has it, or its data dirs.
  file_channel::ChannelFolders folders;
  FileChannelConfig config;
};

// At least one. kConfig when the configuration has no such channel.
Result<std::vector<ChosenChannel>> chosen_channels(const ChannelArguments& arguments,
                                                   const JavaFlags& java);
// For commands that are about one channel: kConfig also when there are several.
Result<ChosenChannel> chosen_channel(const ChannelArguments& arguments, const JavaFlags& java);

}  // namespace millrace
