#include "io/real_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>
#include <vector>

#include "io/system_calls.h"

namespace millrace {

Result<> RealFile::write_at(std::span<const iovec> pieces, std::uint64_t offset) {
  std::vector<iovec> window;  // A copy of what pwritev is given: a short write cuts its front.
  while (!pieces.empty()) {
    const std::size_t count = std::min<std::size_t>(pieces.size(), IOV_MAX);
    window.assign(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(count));
    pieces = pieces.subspan(count);
    std::span<iovec> left(window);
    while (!left.empty()) {
      const ssize_t written = uninterrupted([&] {
        return ::pwritev(fd_.get(), left.data(), static_cast<int>(left.size()),
                         static_cast<off_t>(offset));
      });
      if (written < 0) {
        return file_error("write", path_);
      }
      offset += static_cast<std::uint64_t>(written);
      auto done = static_cast<std::size_t>(written);
      while (!left.empty() && done >= left.front().iov_len) {
        done -= left.front().iov_len;
        left = left.subspan(1);
      }
      if (!left.empty()) {
        left.front().iov_base = static_cast<char*>(left.front().iov_base) + done;
        left.front().iov_len -= done;
      }
    }
  }
  return {};
}

Result<std::size_t> RealFile::read_at(std::span<char> space, std::uint64_t offset) const {
  std::size_t filled = 0;
  while (filled < space.size()) {
    ssize_t got = uninterrupted([&] {
      return ::pread(fd_.get(), space.data() + filled, space.size() - filled,
                     static_cast<off_t>(offset + filled));
    });
    if (got < 0 && errno == ESPIPE) {  // A pipe: it has one order alone.
      got = uninterrupted(
          [&] { return ::read(fd_.get(), space.data() + filled, space.size() - filled); });
    }
    if (got < 0) {
      return file_error("read", path_);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

Result<> RealFile::sync_data() {
  if (uninterrupted([&] { return ::fdatasync(fd_.get()); }) != 0) {
    return file_error("sync", path_);
  }
  return {};
}

Result<std::uint64_t> RealFile::size() const {
  struct stat found {};
  if (::fstat(fd_.get(), &found) != 0) {
    return file_error("ask the size of", path_);
  }
  return static_cast<std::uint64_t>(found.st_size);
}

Result<FileStatus> RealFile::status() const {
  struct stat found {};
  if (::fstat(fd_.get(), &found) != 0) {
    return file_error("ask about", path_);
  }
  return file_status(found);
}

Result<> RealFile::truncate(std::uint64_t size) {
  if (uninterrupted([&] { return ::ftruncate(fd_.get(), static_cast<off_t>(size)); }) != 0) {
    return file_error("truncate", path_);
  }
  return {};
}

Result<> RealFile::allocate(std::uint64_t size) {
  const int error_number = ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(size));
  if (error_number != 0) {
    return system_error("cannot reserve " + std::to_string(size) + " bytes for " + path_.string(),
                        error_number);
  }
  return {};
}

}  // namespace millrace
