// What the parts of a file channel go by: its configuration, checked and made whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "channel/file/config.h"
#include "core/component.h"

namespace millrace::file_channel {

struct Options {
  std::string name;  // "channel c1", for the log.
  std::filesystem::path checkpoint_dir;
  std::optional<std::filesystem::path> backup_checkpoint_dir;
  std::vector<std::filesystem::path> data_dirs;
  bool last_dir_parks = false;     // It takes what is in memory alone at a stop, and no other put.
  std::uint64_t capacity = 0;      // Events.
  std::size_t memory_share = 0;    // Bytes that events may pin once they are on disk.
  std::size_t most_in_flight = 0;  // Bytes of puts that may await their commit.
  std::uint64_t segment_bytes = 0;
  std::uint64_t minimum_free = 0;
  bool sync_each_group = true;
  std::chrono::milliseconds sync_interval{};  // When not each group.
  std::chrono::milliseconds checkpoint_interval{};
  EncryptionConfig encryption;

  std::vector<std::filesystem::path> checkpoint_dirs() const;  // One or both.
};

Options options_of(const FileChannelConfig& config, const ChannelContext& context);

}  // namespace millrace::file_channel
