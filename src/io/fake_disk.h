// What the fake file system keeps: names and bytes, each as a process sees them and as they are
// durable, and every change in between.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "io/fake_bytes.h"
#include "io/file_system.h"

namespace millrace {

// Knows of no calls, faults or locks. Names are paths of files; folders are durable at once.
// Threads: its owner's lock.
class FakeDisk {
 public:
  using Path = std::filesystem::path;

  // A change that no sync has covered. A power loss keeps or drops each by itself, whatever came
  // before or behind it; of a write to a page it may keep some of the sectors.
  struct Unsynced {
    enum class Kind { kSectors, kSize, kName };
    Kind kind;
    unsigned sectors;  // Bits of the page's sectors that were written; 1 for the other kinds.
  };

  struct Change {
    std::uint64_t when;
    Unsynced unsynced;
    std::size_t page = 0;  // Of kSectors, with what it was then.
    FakeBytes::PagePtr content;
    std::size_t size = 0;  // Of kSize.
  };
  struct Node {
    FakeBytes live;
    FakeBytes durable;
    std::vector<Change> unsynced;
    WallTime modified;
    std::uint32_t permissions = 0600;  // Durable at once.
    std::uint64_t number = 0;          // What an inode's is.

    FileStatus status() const;
  };
  using NodePtr = std::shared_ptr<Node>;

  FakeDisk() = default;
  FakeDisk(const FakeDisk& other);  // Shares nothing but pages, which nobody changes.
  FakeDisk& operator=(const FakeDisk&) = delete;

  // Names, as a process sees them.
  NodePtr find(const Path& path) const;
  NodePtr make(const Path& path);
  void rename(const Path& from, const Path& to);
  bool remove(const Path& path);
  const std::map<Path, NodePtr>& names() const { return live_names_; }
  std::set<Path>& folders() { return folders_; }
  const std::set<Path>& folders() const { return folders_; }
  void put_durable(const Path& path, std::string_view bytes, WallTime modified);

  // Bytes.
  void write(Node& node, std::string_view bytes, std::uint64_t offset);
  void resize(Node& node, std::uint64_t size);
  std::uint64_t used() const;  // Of all names.

  // Syncs. A failed one writes some pages and gives up the others, which the next one takes for
  // written, as Linux does; a process then reads what it wrote, or what was there before.
  static void sync(Node& node);
  static void fail_sync(Node& node, std::mt19937_64& random);
  void sync_folder(const Path& path);

  // Of all files and folders, in the order of the changes.
  std::vector<Unsynced> unsynced() const;
  // Keeps of each change the sectors that the mask of its place says, for the other kinds 0 or 1;
  // drops the rest.
  void lose_power(std::span<const unsigned> kept);

 private:
  // `from` goes away, `to` becomes `node`.
  struct NameChange {
    std::uint64_t when;
    Path from;
    Path to;
    NodePtr node;
  };
  struct Ordered;

  void apply(const NameChange& change);
  std::vector<Ordered> in_order() const;
  std::set<NodePtr> nodes() const;

  NodePtr fresh_node();

  std::uint64_t changes_ = 0;
  std::uint64_t nodes_made_ = 0;
  std::map<Path, NodePtr> live_names_;
  std::map<Path, NodePtr> durable_names_;
  std::vector<NameChange> pending_;
  std::set<Path> folders_{"/"};
};

// What a power loss might keep of these: each page written whole, not at all, or in some of its
// sectors; names and sizes up to some point, as a journal has them, or any.
std::vector<unsigned> draw_survivors(std::span<const FakeDisk::Unsynced> unsynced,
                                     std::mt19937_64& random);

}  // namespace millrace
