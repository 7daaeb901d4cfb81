// A file system in memory for tests: it forgets what was not synced, fails when told to, and can be
// stopped at any operation.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "io/fake_disk.h"
#include "io/file_system.h"

namespace millrace {

// What a power loss leaves:
// - of a file: what sync_data() covered. Each page of 4 KiB written since survives whole, not at
//   all, or in some of its sectors of 512 bytes, as it was after any of the writes to it; so does
//   each change of the size.
// - of a folder: the names of the last sync_directory(). Of those made, renamed or removed since, a
//   first part survives, as with a journal, or any of them.
// It is drawn from the seed, so that a run can be repeated, or told change by change. A failed
// sync_data() drops the pages it did not write, as Linux does: the next sync says ok without having
// written them. Folders are durable at once. Threads: any.
class FakeFileSystem final : public FileSystem {
 public:
  enum class Operation {
    kOpen,
    kRead,
    kWrite,
    kSync,
    kSize,
    kTruncate,
    kAllocate,
    kRename,
    kRemove,
    kSyncDirectory,
    kCreateDirectories,
    kList,
    kStatus,
    kLock,
    kFreeSpace,
    kSetPermissions,
  };
  struct Call {
    Operation operation;
    Path path;
    std::uint64_t number;  // 0 for the first call since the file system was made.
  };

  explicit FakeFileSystem(std::uint64_t seed = 1, const Clock* clock = nullptr)
      : random_(seed), clock_(clock) {}

  Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override;
  Result<> rename(const Path& from, const Path& to) override;
  Result<> rename_to_new(const Path& from, const Path& to) override;
  Result<> remove(const Path& path) override;
  Result<> set_permissions(const Path& path, std::uint32_t permissions) override;
  Result<> sync_directory(const Path& path) override;
  Result<> create_directories(const Path& path) override;
  Result<std::vector<std::string>> list(const Path& path) override;
  Result<FileStatus> status(const Path& path) override;
  bool exists(const Path& path) override;
  Result<std::uint64_t> free_space(const Path& path) override;
  Result<std::unique_ptr<FileLock>> lock(const Path& path) override;
  std::optional<int> lock_holder(const Path& path) override;
  std::optional<int> opened_by(const Path& path) override;

  // Power. While it is cut every call fails and nothing changes, but that a write may have done a
  // part when its own hook cut it; open files stay dead afterwards and locks are free. crash() is
  // both in one.
  void cut_power();
  void restore_power();
  void crash();
  // What a crash drops is drawn; with `false` everything unsynced goes, with `true` (the default)
  // some may survive.
  void let_unsynced_survive(bool some);
  // What no sync has covered, in the order in which it came; and restore_power() that keeps of each
  // what the mask of its place says (see FakeDisk::lose_power).
  std::vector<FakeDisk::Unsynced> unsynced() const;
  void restore_power(std::span<const unsigned> kept);

  // kill -9 instead of a power loss, behind a cut or at once: open files are dead and locks are
  // free, and what was written is there, synced or not.
  void end_process();
  // The same disk for another process: as it is now, unsynced changes included, and apart from this
  // one from now on. It has no faults, no hook and no lock.
  std::unique_ptr<FakeFileSystem> fork(std::uint64_t seed) const;

  // Faults. The calls of `operation` from the one after the next `skip` on fail with
  // `error_number`, `times` of them; with `under`, those for it and what is below it alone. A
  // failed write may have written a part.
  void fail(Operation operation, int error_number, std::uint64_t skip, std::uint64_t times,
            const Path& under = {});
  void fail_next(Operation operation, int error_number) { fail(operation, error_number, 0, 1); }
  void fail_always(Operation operation, int error_number) {
    fail(operation, error_number, 0, UINT64_MAX);
  }
  // All calls on what is in `folder` and below fail, as on a disk that is gone or not ours.
  void fail_under(const Path& folder, int error_number);
  void heal();  // No more faults.
  // Room for this many bytes of files; a write or allocation that passes it gets ENOSPC.
  void set_room(std::uint64_t bytes);

  // Runs before each operation, outside of the lock: it may call anything here. When this returns
  // the hook before runs no more, unless it is the hook that calls.
  void on_operation(std::function<void(const Call&)> hook);
  std::uint64_t operations() const;  // Calls so far.

  // For assertions and set-up; not operations. Texts are as a running process sees them.
  std::string text(const Path& path) const;
  std::vector<std::string> contents(const Path& folder) const;  // In the order of the names.
  void put(const Path& path, std::string_view bytes);           // Durable at once.
  void hold_lock(const Path& path, int pid);                    // As another process.

 private:
  FakeFileSystem(std::uint64_t seed, const Clock* clock, const FakeDisk& disk, std::uint64_t room)
      : random_(seed), clock_(clock), disk_(disk), room_(room) {}

  using Node = FakeDisk::Node;
  using NodePtr = FakeDisk::NodePtr;
  struct Fault {
    std::optional<Operation> operation;  // Nothing: all of them.
    int error_number;
    std::uint64_t skip;
    std::uint64_t times;
    Path under;
  };
  class FakeFile;
  class FakeLock;

  // Counts the call, runs the hook, then locks and says whether the operation may go on.
  Result<> enter(Operation operation, const Path& path, std::unique_lock<std::mutex>& lock);
  Result<> rename(const Path& from, const Path& to, bool may_replace);
  Result<> check_alive(std::uint64_t epoch, const Path& path) const;
  WallTime now() const;
  Result<> make_room(const Node& node, std::uint64_t size, const Path& path) const;
  void write(Node& node, std::string_view bytes, std::uint64_t offset);
  void resize(Node& node, std::uint64_t size);
  void add_folders(const Path& path);
  std::vector<std::string> names_in(const Path& folder) const;  // Sorted.
  void end_all_handles();
  static int& hooks_under_way();  // In this thread.
  std::size_t draw(std::size_t below);

  mutable std::mutex mutex_;  // Guards all below.
  std::mt19937_64 random_;
  const Clock* const clock_;
  FakeDisk disk_;
  std::map<Path, int> locks_;  // With the holder's pid.
  std::vector<Fault> faults_;
  std::shared_ptr<const std::function<void(const Call&)>> hook_;
  std::condition_variable hook_ended_;
  std::uint64_t room_ = UINT64_MAX;
  std::uint64_t calls_ = 0;
  std::uint64_t epoch_ = 0;  // Counts crashes: files of an earlier one are dead.
  bool powered_ = true;
  bool may_do_a_part_ = false;  // The call that entered last, should it fail.
  bool unsynced_may_survive_ = true;
};

}  // namespace millrace
