#include "sink/exactly_once/file_publisher.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "base/checksum.h"
#include "base/log.h"

namespace millrace {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

bool is_absent(const Error& error) {
  return error.error_number() == ENOENT;
}

}  // namespace

Result<> FilePublisher::publish(const IntendedFile& file) {
  const Result<dfs::FileStatus> found = files_.status(file.temporary);
  if (!found.ok()) {
    return is_absent(found.error()) ? settle_absent(file) : Result<>(found.error());
  }
  TRY(cut(file));
  if (file.temporary != file.published) {
    TRY(files_.rename(file.temporary, file.published));
  }
  published_.add();
  return {};
}

// Its writer may be dead, and hold the lease still.
Result<> FilePublisher::cut(const IntendedFile& file) {
  if (!TRY(files_.recover_lease(file.temporary)) && !TRY(files_.is_closed(file.temporary))) {
    return transient(file.temporary + " is not closed yet: its lease is being recovered");
  }
  const std::uint64_t length = TRY(files_.status(file.temporary)).length;
  if (length < file.length) {
    say_lost(file, fmt::format("has {} of {} committed bytes", length, file.length));
  } else if (length > file.length && !TRY(files_.truncate(file.temporary, file.length)) &&
             !TRY(files_.is_closed(file.temporary))) {
    return transient(file.temporary + " is being cut to what was committed");
  }
  return {};
}

// Published before, or gone.
Result<> FilePublisher::settle_absent(const IntendedFile& file) {
  const Result<dfs::FileStatus> found = files_.status(file.published);
  if (!found.ok() && !is_absent(found.error())) {
    return found.error();
  }
  if (!found.ok()) {
    say_lost(file, "is not there, nor is " + file.temporary +
                       ": a reader has taken it away, or it is lost");
  } else if (found.value().length != file.length || !TRY(holds(file.published, file))) {
    say_lost(file, "does not hold what was committed");
  }
  return {};
}

Result<bool> FilePublisher::holds(const std::string& path, const IntendedFile& file) {
  const std::unique_ptr<dfs::InputStream> stream = TRY(files_.open(path));
  std::vector<char> space(kReadBytes);
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < file.length;) {
    const std::size_t want = std::min<std::uint64_t>(space.size(), file.length - at);
    const std::size_t got = TRY(stream->read_at({space.data(), want}, at));
    if (got == 0) {
      return false;
    }
    crc = crc32c({space.data(), got}, crc);
    at += got;
  }
  return crc == file.crc;
}

Result<> FilePublisher::discard(const std::string& temporary) {
  Result<> removed = files_.remove(temporary, false);
  return removed.ok() || is_absent(removed.error()) ? Result<>() : removed;
}

void FilePublisher::say_lost(const IntendedFile& file, const std::string& how) {
  lost_.add();
  log_error(component_, "{} {}", file.published, how);
}

}  // namespace millrace
