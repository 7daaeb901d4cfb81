// What the fake file system hands out: open files and locks. Included by fake_file*.cc alone.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "io/fake_file_system.h"

namespace millrace {

// A name's bytes, as long as no crash came since it was opened. Each call is one operation of the
// file system's. Threads: any. The file system outlives it.
class FakeFileSystem::FakeFile final : public File {
 public:
  // `epoch`: the crashes before it was opened.
  FakeFile(FakeFileSystem& files, NodePtr node, Path path, std::uint64_t epoch, bool writable)
      : files_(files),
        node_(std::move(node)),
        path_(std::move(path)),
        epoch_(epoch),
        writable_(writable) {}

  Result<> write_at(std::span<const iovec> pieces, std::uint64_t offset) override;
  Result<std::size_t> read_at(std::span<char> space, std::uint64_t offset) const override;
  Result<> sync_data() override;
  Result<std::uint64_t> size() const override;
  Result<FileStatus> status() const override;
  Result<> truncate(std::uint64_t size) override;
  Result<> allocate(std::uint64_t size) override;

 private:
  Result<> enter(Operation operation, std::unique_lock<std::mutex>& lock) const;
  bool may_do_a_part(const std::unique_lock<std::mutex>& lock) const;

  FakeFileSystem& files_;
  const NodePtr node_;
  const Path path_;
  const std::uint64_t epoch_;
  const bool writable_;
};

// Frees its path, unless a crash has. Threads: any. The file system outlives it.
class FakeFileSystem::FakeLock final : public FileLock {
 public:
  FakeLock(FakeFileSystem& files, Path path, std::uint64_t epoch)
      : files_(files), path_(std::move(path)), epoch_(epoch) {}
  ~FakeLock() override;

 private:
  FakeFileSystem& files_;
  const Path path_;
  const std::uint64_t epoch_;
};

}  // namespace millrace
