// A file seen through a buffer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "io/file_system.h"

namespace millrace::flume_log {

// Read forwards it asks the disk for 256 KiB at a time. Threads: one.
class FileWindow {
 public:
  static Result<FileWindow> open(FileSystem& files, const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  // `count` bytes from `at`, or as many as there are up to the end of the file. They stay until the
  // next call.
  Result<std::string_view> view(std::uint64_t at, std::uint64_t count);

 private:
  FileWindow(std::unique_ptr<File> file, std::uint64_t size)
      : file_(std::move(file)), size_(size) {}

  std::unique_ptr<File> file_;
  std::uint64_t size_;
  std::vector<char> buffer_;
  std::uint64_t begin_ = 0;  // Where in the file the buffer's bytes lie,
  std::size_t filled_ = 0;   // and how many these are.
};

}  // namespace millrace::flume_log
