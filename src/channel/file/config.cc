#include "channel/file/config.h"

#include <algorithm>
#include <cstdlib>

namespace millrace {
namespace {

std::filesystem::path default_dir(const char* name) {
  const char* const home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr ? home : "/") / ".flume" / "file-channel" / name;
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t");
  return from == std::string::npos ? std::string()
                                   : text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

}  // namespace

std::vector<std::filesystem::path> FileChannelConfig::data_paths() const {
  std::vector<std::filesystem::path> paths;
  for (std::size_t from = 0; from < data_dirs.size();) {
    const std::size_t end = std::min(data_dirs.find(',', from), data_dirs.size());
    const std::string path = trimmed(data_dirs.substr(from, end - from));
    if (!path.empty()) {
      paths.emplace_back(path);
    }
    from = end + 1;
  }
  if (paths.empty()) {
    paths.push_back(default_dir("data"));
  }
  return paths;
}

std::vector<std::filesystem::path> FileChannelConfig::log_paths() const {
  std::vector<std::filesystem::path> paths = data_paths();
  if (has_memory_part) {
    paths.push_back(paths.front() / "memory");
  }
  return paths;
}

std::filesystem::path FileChannelConfig::checkpoint_path() const {
  const std::string path = trimmed(checkpoint_dir);
  return path.empty() ? default_dir("checkpoint") : std::filesystem::path(path);
}

std::optional<std::filesystem::path> FileChannelConfig::backup_checkpoint_path() const {
  const std::string path = trimmed(backup_checkpoint_dir);
  if (!use_dual_checkpoints || path.empty()) {
    return std::nullopt;
  }
  return path;
}

std::vector<Claim> FileChannelConfig::claims() const {
  std::vector<Claim> all{claim_path("checkpointDir", "the folder ", checkpoint_path())};
  for (const std::filesystem::path& path : data_paths()) {
    all.push_back(claim_path("dataDirs", "the folder ", path));
  }
  if (const auto backup = backup_checkpoint_path()) {
    all.push_back(claim_path("backupCheckpointDir", "the folder ", *backup));
  }
  return all;
}

void FileChannelConfig::check(ConfigCheck& check) const {
  ChannelLimits::check(check);
  check_log(check);
}

void FileChannelConfig::check_log(ConfigCheck& check) const {
  EncryptionConfig::check(check);
  std::vector<std::filesystem::path> paths = data_paths();
  for (std::filesystem::path& path : paths) {
    path = path.lexically_normal();
  }
  const std::filesystem::path checkpoints = checkpoint_path().lexically_normal();
  if (std::find(paths.begin(), paths.end(), checkpoints) != paths.end()) {
    check.fault("checkpointDir", "is one of the dataDirs, and has to be a folder of its own");
  }
  const auto backup = backup_checkpoint_path();
  if (use_dual_checkpoints && !backup) {
    check.fault("backupCheckpointDir", "is needed with useDualCheckpoints");
  } else if (backup && backup->lexically_normal() == checkpoints) {
    check.fault("backupCheckpointDir", "is the checkpointDir, and has to be another folder");
  } else if (backup &&
             std::find(paths.begin(), paths.end(), backup->lexically_normal()) != paths.end()) {
    check.fault("backupCheckpointDir", "is one of the dataDirs, and has to be a folder of its own");
  }
  std::sort(paths.begin(), paths.end());
  if (std::adjacent_find(paths.begin(), paths.end()) != paths.end()) {
    check.fault("dataDirs", "names a folder twice");
  }
}

}  // namespace millrace
