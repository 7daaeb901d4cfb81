// An open file of the kernel's.
#pragma once

#include <filesystem>

#include "io/descriptor.h"
#include "io/file_system.h"

namespace millrace {

// Threads and durability: see File.
class RealFile final : public File {
 public:
  // `path`: for messages.
  RealFile(Descriptor fd, std::filesystem::path path)
      : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<> write_at(std::span<const iovec> pieces, std::uint64_t offset) override;
  Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) const override;
  Result<> sync_data() override;
  Result<std::uint64_t> size() const override;
  Result<FileStatus> status() const override;
  Result<> truncate(std::uint64_t size) override;
  Result<> allocate(std::uint64_t size) override;

 private:
  const Descriptor fd_;
  const std::filesystem::path path_;
};

}  // namespace millrace
