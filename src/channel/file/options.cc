#include "channel/file/options.h"

#include <algorithm>

#include "channel/file/format.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargestSegment = 64 * kMiB;
constexpr std::uint64_t kSmallestSegment = 64 * 1024;
constexpr std::size_t kMostInFlight = 16 * kMiB;
constexpr std::chrono::milliseconds kShortestCheckpointInterval{1000};

}  // namespace

std::vector<std::filesystem::path> Options::checkpoint_dirs() const {
  std::vector<std::filesystem::path> dirs{checkpoint_dir};
  if (backup_checkpoint_dir) {
    dirs.push_back(*backup_checkpoint_dir);
  }
  return dirs;
}

Options options_of(const FileChannelConfig& config, const ChannelContext& context) {
  Options options;
  options.name = "channel " + context.name;
  options.checkpoint_dir = config.checkpoint_path();
  options.backup_checkpoint_dir = config.backup_checkpoint_path();
  options.data_dirs = config.log_paths();
  options.last_dir_parks = config.has_memory_part;
  options.capacity = config.capacity;
  options.memory_share = context.memory_share;
  options.most_in_flight = std::clamp<std::size_t>(context.memory_share / 2, kMiB, kMostInFlight);
  options.segment_bytes =
      round_up(std::clamp(config.max_file_size.value, kSmallestSegment, kLargestSegment), kBlock);
  options.minimum_free = std::max(config.minimum_required_space.value, kMiB);
  options.sync_each_group = config.fsync_per_transaction;
  options.sync_interval = config.fsync_interval;
  options.checkpoint_interval = std::max(config.checkpoint_interval, kShortestCheckpointInterval);
  options.encryption = static_cast<const EncryptionConfig&>(config);
  return options;
}

}  // namespace millrace::file_channel
