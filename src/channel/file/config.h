// The keys of the file channel (Flume 1.11, org.apache.flume.channel.file.FileChannel).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "channel/file/encryption_config.h"
#include "channel/limits.h"
#include "config/fields.h"
#include "core/claim.h"

namespace millrace {

struct FileChannelConfig : ChannelLimits, EncryptionConfig {
  std::string checkpoint_dir;
  std::string data_dirs;
  std::chrono::milliseconds checkpoint_interval{30'000};
  ByteCount max_file_size{1'623'195'647};
  ByteCount minimum_required_space{524'288'000};
  bool fsync_per_transaction = true;
  std::chrono::seconds fsync_interval{5};
  bool checkpoint_on_close = true;
  bool use_dual_checkpoints = false;
  bool compress_backup_checkpoint = false;
  std::string backup_checkpoint_dir;
  bool use_log_replay_v1 = false;
  bool use_fast_replay = false;
  // No key: the spillable channel's log has a folder for what is in memory alone at a stop.
  bool has_memory_part = false;

  FileChannelConfig() : ChannelLimits{.capacity = 1'000'000, .transaction_capacity = 10'000} {}
  static constexpr auto dir_fields() {
    using C = FileChannelConfig;
    return std::tuple{
        field("checkpointDir", &C::checkpoint_dir,
              "Folder of the checkpoint, made if missing; by default "
              "~/.flume/file-channel/checkpoint. One channel each."),
        field("dataDirs", &C::data_dirs,
              "Folders of the log, with commas between them, made if missing; by default "
              "~/.flume/file-channel/data. Best on disks of their own."),
    };
  }
  static constexpr auto log_fields() {
    using C = FileChannelConfig;
    constexpr std::string_view kOneReplay = "there is one kind of replay, and it is fast";
    return std::tuple{
        field("checkpointInterval", &C::checkpoint_interval,
              "Milliseconds between two checkpoints, at least 1000; more are written when "
              "segments are wanted back.")
            .range(1, 86'400'000)
            .lenient(),
        field("maxFileSize", &C::max_file_size,
              "Bytes of a segment of the log; more than 64 MiB are not used.")
            .lenient(),
        field("minimumRequiredSpace", &C::minimum_required_space,
              "Bytes that stay free on the disk of each data dir, at least 1 MiB: below, puts "
              "are refused and takes go on.")
            .lenient(),
        field("fsyncPerTransaction", &C::fsync_per_transaction,
              "Whether a put is synced to disk before it is answered. Without, a power loss "
              "takes the puts of the last fsyncInterval.")
            .lenient(),
        field("fsyncInterval", &C::fsync_interval,
              "Seconds between two syncs when fsyncPerTransaction is false.")
            .range(1, 86'400)
            .lenient(),
        field("checkpointOnClose", &C::checkpoint_on_close,
              "Whether a checkpoint is written at an orderly stop.")
            .lenient(),
        field("useDualCheckpoints", &C::use_dual_checkpoints,
              "Whether each checkpoint is written to backupCheckpointDir too, for a start that "
              "finds the first one damaged or gone.")
            .lenient(),
        field("backupCheckpointDir", &C::backup_checkpoint_dir,
              "Folder of the second checkpoint, made if missing; best on another disk. Needed "
              "with useDualCheckpoints."),
        field("compressBackupCheckpoint", &C::compress_backup_checkpoint,
              "Whether the second checkpoint is compressed.")
            .ignored("a checkpoint is a few kilobytes"),
        field("use-log-replay-v1", &C::use_log_replay_v1, "An older replay.").ignored(kOneReplay),
        field("use-fast-replay", &C::use_fast_replay, "Replay without the queue.")
            .ignored(kOneReplay),
    };
  }
  static constexpr auto fields() {
    return std::tuple_cat(dir_fields(), ChannelLimits::fields(), log_fields(),
                          EncryptionConfig::fields());
  }
  void check(ConfigCheck& check) const;
  // What sinks that deliver exactly once need: their commits must last.
  bool exactly_once() const { return fsync_per_transaction; }
  void check_log(ConfigCheck& check) const;  // All but the limits.
  std::vector<Claim> claims() const;
  std::vector<std::filesystem::path> data_paths() const;
  // And the one for what is in memory alone at a stop, the last, when there is such a part.
  std::vector<std::filesystem::path> log_paths() const;
  std::filesystem::path checkpoint_path() const;
  std::optional<std::filesystem::path> backup_checkpoint_path() const;  // When it is used.
};

}  // namespace millrace
