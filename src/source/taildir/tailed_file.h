// One file that is tailed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "io/file_system.h"
#include "source/taildir/tail_entry.h"

namespace millrace {

// Knows what was read of a file, and what of it the channels have. A file that got shorter, or
// begins otherwise than it did, is another one under the same name: it is read from its beginning.
// Threads: its source's.
class TailedFile {
 public:
  // Bytes of `entry` are with the channels; its path is what events are told.
  TailedFile(FileId id, std::size_t group, TailEntry entry);

  FileId id() const { return id_; }
  std::size_t group() const { return group_; }
  const std::string& path() const { return path_; }
  // It has another name that is tailed.
  void rename(std::string path, std::size_t group);

  // No name that is tailed leads to it any more. While it is open it can be read to its end.
  bool is_gone() const { return is_gone_; }
  void set_gone(bool gone) { is_gone_ = gone; }

  bool is_open() const { return file_ != nullptr; }
  // Opens what `place` leads to, when that is this file. kClosed when it is another.
  Result<> open(FileSystem& files, const std::filesystem::path& place);
  void close() { file_.reset(); }

  // Sees how long the open file is and whether it is the same still; what was known of another one
  // is forgotten then, and `restarts()` says so.
  Result<std::uint64_t> look();
  // Whether the open file begins as what was read of it, and holds that much still.
  Result<bool> is_as_known() const;
  std::uint32_t restarts() const { return restarts_; }
  // How it begins is kept, behind each read: as far as it was read for good, for a line that is
  // being written may still be taken back; while nothing was, as far as it goes.
  Result<> learn_head();
  // Whether it was learnt since the last call that this is a file with bytes.
  bool take_is_new() { return std::exchange(is_new_, false); }
  Result<std::size_t> read(std::span<char> space, std::uint64_t offset) const {
    return file_->read_at(space, offset);
  }

  // Where the next line begins; all before it was put.
  std::uint64_t position() const { return position_; }
  // Up to where no line end was found behind the position.
  std::uint64_t searched() const { return std::max(searched_, position_); }
  void set_searched(std::uint64_t offset) { searched_ = offset; }
  void advance(std::uint64_t offset) { position_ = offset; }
  // The bytes up to `offset` are with the channels, unless the file was begun anew since.
  void commit(std::uint32_t restarts, std::uint64_t offset);
  // What the channels do not have is read again.
  void rewind();
  bool is_committed() const { return committed_ == position_; }
  std::uint64_t committed() const { return committed_; }
  TailEntry entry() const { return {id_.inode, committed_, path_, head_}; }

  // Notes what a look from outside has shown; whether that is new.
  bool note(const FileStatus& status);
  std::uint64_t size() const { return size_; }  // As seen last.
  WallTime modified() const { return modified_; }
  // When something new was found in it last.
  SteadyTime active_at() const { return active_at_; }
  void set_active(SteadyTime now) { active_at_ = now; }

  bool is_queued = false;  // It waits for its turn to be read.
  int watch = -1;          // Of its own, where the folder's does not tell of it.

 private:
  void begin_anew();
  Result<std::string> first_bytes(std::uint64_t count) const;

  const FileId id_;
  std::size_t group_;
  std::string path_;
  std::unique_ptr<File> file_;
  bool is_gone_ = false;
  std::uint64_t position_;
  std::uint64_t searched_ = 0;
  std::uint64_t committed_;
  std::uint32_t restarts_ = 0;
  FileHead head_;
  bool is_new_ = false;
  std::uint64_t size_ = 0;
  WallTime modified_{};
  SteadyTime active_at_{};
};

using TailedFilePtr = std::shared_ptr<TailedFile>;

}  // namespace millrace
