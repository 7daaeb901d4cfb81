// What calls of the kernel on files have in common. Included by real_file*.cc alone.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// What errno says, as "cannot open /a/b: …".
inline Error file_error(std::string_view what, const std::filesystem::path& path) {
  const int error_number = errno;  // Before the text below may change it.
  return system_error("cannot " + std::string(what) + " " + path.string(), error_number);
}

inline FileStatus file_status(const struct stat& found) {
  FileStatus status;
  status.size = static_cast<std::uint64_t>(found.st_size);
  status.is_directory = S_ISDIR(found.st_mode);
  status.is_regular = S_ISREG(found.st_mode);
  status.permissions = found.st_mode & 07777;
  status.modified = WallTime(std::chrono::duration_cast<WallTime::duration>(
      std::chrono::seconds(found.st_mtim.tv_sec) +
      std::chrono::nanoseconds(found.st_mtim.tv_nsec)));
  status.id = {found.st_dev, found.st_ino};
  return status;
}

// Calls `call` again as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace millrace
