#include "io/open_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <string>
#include <vector>

namespace millrace {
namespace {

// The entries of a folder of /proc; none where we may not look, or it has gone.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    entries.push_back(entry->path());
    entry.increment(error);
  }
  return entries;
}

std::optional<int> process_id(const std::string& name) {
  int pid = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  const bool is_number = error == std::errc{} && stop == name.data() + name.size();
  return is_number ? std::optional(pid) : std::nullopt;
}

bool has_open(const std::filesystem::path& process, const struct stat& wanted) {
  for (const std::filesystem::path& descriptor : entries_of(process / "fd")) {
    struct stat found {};
    if (::stat(descriptor.c_str(), &found) == 0 && found.st_ino == wanted.st_ino &&
        found.st_dev == wanted.st_dev) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<int> process_with_open(const std::filesystem::path& path) {
  struct stat wanted {};
  if (::stat(path.c_str(), &wanted) != 0) {
    return std::nullopt;
  }
  for (const std::filesystem::path& process : entries_of("/proc")) {
    const std::optional<int> pid = process_id(process.filename());
    if (pid && *pid != ::getpid() && has_open(process, wanted)) {
      return pid;
    }
  }
  return std::nullopt;
}

}  // namespace millrace
