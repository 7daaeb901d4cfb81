// A log as the bare loops write it: files that are used in turn.
#pragma once

#include <sys/uio.h>

#include <span>
#include <string>
#include <utility>

#include "bare.h"

namespace bare {

constexpr std::size_t kGroupBytes = std::size_t{2} << 20;  // Most of one write,
constexpr std::size_t kSegmentBytes = std::size_t{64}
                                      << 20;  // and of one file, as the file channel has them.
constexpr int kSegments = 3;

class Log {
 public:
  explicit Log(std::string folder) : folder_(std::move(folder)) {}

  // Makes the pieces durable: one write, one fdatasync. The file goes on at a page.
  void write(std::span<const iovec> group, std::size_t bytes) {
    const std::size_t padded = (bytes + kPage - 1) / kPage * kPage;
    if (file_ < 0 || at_ + padded > kSegmentBytes) {
      next_segment();
    }
    if (::pwritev(file_, group.data(), static_cast<int>(group.size()), static_cast<off_t>(at_)) !=
            static_cast<ssize_t>(bytes) ||
        ::fdatasync(file_) != 0) {
      fail("write");
    }
    at_ += padded;
  }

 private:
  void next_segment() {
    if (file_ >= 0) {
      ::close(file_);
    }
    const std::string path = folder_ + "/bare-" + std::to_string(used_++ % kSegments);
    file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file_ < 0 || ::posix_fallocate(file_, 0, kSegmentBytes) != 0) {
      fail(path.c_str());
    }
    at_ = 0;
  }

  const std::string folder_;
  int file_ = -1;
  std::size_t at_ = 0;
  int used_ = 0;
};

}  // namespace bare
