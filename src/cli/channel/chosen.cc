#include "cli/channel/chosen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "channel/spillable/config.h"
#include "cli/cli.h"
#include "cli/configuration.h"
#include "config/agent_config.h"
#include "config/fields.h"
#include "config/nearest_name.h"
#include "core/registry.h"

namespace millrace {
namespace {

file_channel::ChannelFolders folders_of(const FileChannelConfig& config) {
  file_channel::ChannelFolders folders{
      {config.checkpoint_path()}, config.log_paths(), static_cast<const EncryptionConfig&>(config)};
  if (const auto backup = config.backup_checkpoint_path()) {
    folders.checkpoint_dirs.push_back(*backup);
  }
  return folders;
}

ChosenChannel by_folders(const ChannelArguments& arguments) {
  FileChannelConfig config;
  config.data_dirs = arguments.data_dirs;
  config.checkpoint_dir = arguments.checkpoint_dir;
  config.backup_checkpoint_dir = arguments.backup_checkpoint_dir;
  config.use_dual_checkpoints = !arguments.backup_checkpoint_dir.empty();
  config.capacity = INT32_MAX;  // The agent's own, which is not known, holds for the agent.
  ChosenChannel channel{arguments.data_dirs, folders_of(config), config};
  if (arguments.checkpoint_dir.empty()) {
    std::erase(channel.folders.checkpoint_dirs, config.checkpoint_path());  // The default.
  }
  return channel;
}

// Of a channel that has a log; nothing for another, or one whose keys are faulty.
std::optional<FileChannelConfig> log_of(const ChannelConfig& channel, Diagnostics& diagnostics) {
  const ChannelRegistry::Entry* const entry = ChannelRegistry::instance().find(channel.type);
  const std::string type = entry != nullptr ? entry->info.alias : "";
  if (type == "file") {
    return bind<FileChannelConfig>(channel.properties, diagnostics, common_channel_keys());
  }
  if (type == "SPILLABLEMEMORY") {
    const auto config =
        bind<SpillableMemoryConfig>(channel.properties, diagnostics, common_channel_keys());
    return config && config->log_capacity() > 0 ? std::optional(config->log()) : std::nullopt;
  }
  return std::nullopt;
}

Result<std::string> agent_of(const LoadedFiles& files, const std::string& name) {
  if (name.empty() && files.agents.size() != 1) {
    return bad_config(files.agents.empty() ? "the files define no agent"
                                           : fmt::format("which agent? -n names one of {}",
                                                         fmt::join(files.agents, ", ")));
  }
  const std::string& agent = name.empty() ? files.agents.front() : name;
  if (std::find(files.agents.begin(), files.agents.end(), agent) == files.agents.end()) {
    return bad_config(no_such_agent(files, agent));
  }
  return agent;
}

Result<std::vector<ChosenChannel>> of_configuration(const ChannelArguments& arguments,
                                                    const JavaFlags& java) {
  Diagnostics diagnostics;
  const std::optional<LoadedFiles> files = load_files(arguments.files, java, diagnostics);
  if (!files) {
    return bad_config(diagnostics.to_string());
  }
  const std::string name = TRY(agent_of(*files, arguments.agent));
  const std::optional<AgentConfig> agent = read_agent(
      files->resolved.properties, name, process_lookups({}, {}).environment, diagnostics);
  std::vector<ChosenChannel> channels;
  for (const ChannelConfig& channel : agent ? agent->channels : std::vector<ChannelConfig>()) {
    if (const auto config = log_of(channel, diagnostics)) {
      channels.push_back({channel.name, folders_of(*config), *config});
    }
  }
  if (channels.empty()) {
    return bad_config(diagnostics.to_string() + "agent " + name + " has no usable file channel");
  }
  return channels;
}

Result<ChosenChannel> pick(const std::vector<ChosenChannel>& channels, const std::string& name) {
  std::vector<std::string_view> names;
  for (const ChosenChannel& channel : channels) {
    if (channel.name == name) {
      return channel;
    }
    names.push_back(channel.name);
  }
  return bad_config(
      fmt::format("there is no file channel {}; the agent has {}", name, fmt::join(names, ", ")));
}

void describe_agent(Options& options, ChannelArguments& to) {
  options.list("-f,--config,--conf-file", to.files, "The agent's configuration.");
  options.text("-n,--name", to.agent, "The agent, where the configuration has several.");
}

void describe_folders(Options& options, ChannelArguments& to) {
  options.text("--data-dirs", to.data_dirs, "Without a configuration: the dataDirs, \"A,B\".");
  options.text("--checkpoint-dir", to.checkpoint_dir, "And the checkpointDir.");
  options.text("--backup-checkpoint-dir", to.backup_checkpoint_dir,
               "And the backupCheckpointDir, with useDualCheckpoints.");
}

}  // namespace

void describe_agents_channels(Options& options, ChannelArguments& to) {
  options.rest("CHANNEL", to.names, 0, "Channels of the agent; without, all its file channels.");
  describe_agent(options, to);
}

void describe_channels(Options& options, ChannelArguments& to) {
  describe_agents_channels(options, to);
  describe_folders(options, to);
}

void describe_channel(Options& options, ChannelArguments& to) {
  describe_agent(options, to);
  options.list("-c,--channel", to.names, "The channel, where the agent has several.");
  describe_folders(options, to);
}

std::optional<int> parse(Options& options, const ChannelArguments& channels,
                         const CommandLine& line) {
  if (const std::optional<int> status = options.parse(line)) {
    return status;
  }
  if (channels.files.empty() && channels.data_dirs.empty()) {
    return options.refuse(
        "which channel? Name the agent's file, --config FILE -n AGENT, or the folders, "
        "--checkpoint-dir DIR --data-dirs A,B");
  }
  return refuse_mixture(options, channels);
}

std::optional<int> refuse_mixture(const Options& options, const ChannelArguments& channels) {
  const bool by_folders = !channels.data_dirs.empty() || !channels.checkpoint_dir.empty() ||
                          !channels.backup_checkpoint_dir.empty();
  if (!channels.files.empty() && by_folders) {
    return options.refuse("either --config or the folders: they may name different channels");
  }
  if (channels.files.empty() && !channels.names.empty()) {
    return options.refuse("\"" + channels.names.front() + "\" is a name of which configuration?");
  }
  return std::nullopt;
}

Result<std::vector<ChosenChannel>> chosen_channels(const ChannelArguments& arguments,
                                                   const JavaFlags& java) {
  if (arguments.files.empty()) {
    return std::vector<ChosenChannel>{by_folders(arguments)};
  }
  std::vector<ChosenChannel> all = TRY(of_configuration(arguments, java));
  if (arguments.names.empty()) {
    return all;
  }
  std::vector<ChosenChannel> chosen;
  for (const std::string& name : arguments.names) {
    chosen.push_back(TRY(pick(all, name)));
  }
  return chosen;
}

Result<ChosenChannel> chosen_channel(const ChannelArguments& arguments, const JavaFlags& java) {
  const std::vector<ChosenChannel> channels = TRY(chosen_channels(arguments, java));
  if (channels.size() > 1) {
    std::vector<std::string> names;
    for (const ChosenChannel& channel : channels) {
      names.push_back(channel.name);
    }
    return bad_config(fmt::format("one channel at a time, of {}", fmt::join(names, ", ")));
  }
  return channels.front();
}

}  // namespace millrace
