// A file system in memory for tests: it forgets what was not synced, fails when told to, and can be
// stopped at any operation.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace millrace {

// What a power loss leaves:
// - of a file: what sync_data() covered. Each page of 4 KiB written since survives whole, not at
//   all, or in some of its sectors of 512 bytes; the size is the old one, the new one or between.
// - of a folder: the names of the last sync_directory(). Of those made, renamed or removed since, a
//   random first part survives, in that order.
// Both are drawn from the seed, so that a run can be repeated. A failed sync_data() drops the pages
// it did not write, as Linux does: the next sync says ok without having written them.
// Folders are durable at once. Threads: any.
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
  Result<> remove(const Path& path) override;
  Result<> sync_directory(const Path& path) override;
  Result<> create_directories(const Path& path) override;
  Result<std::vector<std::string>> list(const Path& path) override;
  Result<FileStatus> status(const Path& path) override;
  bool exists(const Path& path) override;
  Result<std::uint64_t> free_space(const Path& path) override;
  Result<std::unique_ptr<FileLock>> lock(const Path& path) override;
  std::optional<int> lock_holder(const Path& path) override;
  std::optional<int> opened_by(const Path& path) override;

  // Power. While it is cut every call fails and nothing changes; open files stay dead afterwards
  // and locks are free. crash() is both in one.
  void cut_power();
  void restore_power();
  void crash();
  // What a crash drops is drawn; with `false` everything unsynced goes, with `true` (the default)
  // some may survive.
  void let_unsynced_survive(bool some);

  // Faults. The calls of `operation` from the one after the next `skip` on fail with
  // `error_number`, `times` of them. A failed write may have written a part.
  void fail(Operation operation, int error_number, std::uint64_t skip, std::uint64_t times);
  void fail_next(Operation operation, int error_number) { fail(operation, error_number, 0, 1); }
  void fail_always(Operation operation, int error_number) {
    fail(operation, error_number, 0, UINT64_MAX);
  }
  // All calls on what is in `folder` and below fail, as on a disk that is gone or not ours.
  void fail_under(const Path& folder, int error_number);
  void heal();  // No more faults.
  // Room for this many bytes of files; a write or allocation that passes it gets ENOSPC.
  void set_room(std::uint64_t bytes);

  // Runs before each operation, outside of the lock: it may call anything here.
  void on_operation(std::function<void(const Call&)> hook);
  std::uint64_t operations() const;  // Calls so far.

  // For assertions and set-up; not operations. Texts are as a running process sees them.
  std::string text(const Path& path) const;
  std::vector<std::string> contents(const Path& folder) const;  // In the order of the names.
  void put(const Path& path, std::string_view bytes);           // Durable at once.
  void hold_lock(const Path& path, int pid);                    // As another process.

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kSector = 512;
  struct Node {
    std::string live;
    std::string durable;
    std::set<std::size_t> dirty;  // Pages written since the last sync.
    WallTime modified;
  };
  using NodePtr = std::shared_ptr<Node>;
  // A change of names that is not durable yet: `from` goes away, `to` becomes `node`.
  struct NameChange {
    Path from;
    Path to;
    NodePtr node;
  };
  struct Fault {
    Operation operation;
    int error_number;
    std::uint64_t skip;
    std::uint64_t times;
  };
  class FakeFile;
  class FakeLock;

  // Counts the call, runs the hook, then locks and says whether the operation may go on.
  Result<> enter(Operation operation, const Path& path, std::unique_lock<std::mutex>& lock);
  Result<> check_folders(const Path& path) const;
  Result<> check_alive(std::uint64_t epoch, const Path& path) const;
  WallTime now() const;
  std::uint64_t used() const;
  Result<> make_room(const Node& node, std::uint64_t size, const Path& path) const;
  void write(Node& node, std::string_view bytes, std::uint64_t offset);
  void resize(Node& node, std::uint64_t size);
  void sync(Node& node);
  void lose_some_pages(Node& node);
  void apply(const NameChange& change);
  void forget_unsynced(Node& node);
  void add_folders(const Path& path);
  std::size_t draw(std::size_t below);

  mutable std::mutex mutex_;  // Guards all below.
  std::mt19937_64 random_;
  const Clock* const clock_;
  std::map<Path, NodePtr> live_names_;
  std::map<Path, NodePtr> durable_names_;
  std::vector<NameChange> pending_;
  std::set<Path> folders_{"/"};
  std::map<Path, int> locks_;  // With the holder's pid.
  std::vector<Fault> faults_;
  std::map<Path, int> failing_folders_;  // With the error that they give.
  std::function<void(const Call&)> hook_;
  std::uint64_t room_ = UINT64_MAX;
  std::uint64_t calls_ = 0;
  std::uint64_t epoch_ = 0;  // Counts crashes: files of an earlier one are dead.
  bool powered_ = true;
  bool unsynced_may_survive_ = true;
};

}  // namespace millrace
