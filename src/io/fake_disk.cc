#include "io/fake_disk.h"

#include <algorithm>
#include <utility>

namespace millrace {
namespace {

using Kind = FakeDisk::Unsynced::Kind;
constexpr std::size_t kPage = FakeBytes::kPage;

// Bits of the sectors that [from, to) of a page touches.
unsigned sectors_of(std::size_t from, std::size_t to) {
  unsigned sectors = 0;
  for (std::size_t sector = from / FakeBytes::kSector; sector * FakeBytes::kSector < to; ++sector) {
    sectors |= 1U << sector;
  }
  return sectors;
}

std::size_t draw(std::mt19937_64& random, std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
}

}  // namespace

// A change of some node, or of a name.
struct FakeDisk::Ordered {
  std::uint64_t when;
  Node* node;
  const Change* bytes;
  const NameChange* name;

  Unsynced unsynced() const { return name != nullptr ? Unsynced{Kind::kName, 1} : bytes->unsynced; }
};

FakeDisk::FakeDisk(const FakeDisk& other)
    : changes_(other.changes_), nodes_made_(other.nodes_made_), folders_(other.folders_) {
  std::map<NodePtr, NodePtr> copies{{nullptr, nullptr}};
  for (const NodePtr& node : other.nodes()) {
    copies[node] = std::make_shared<Node>(*node);
  }
  for (const auto& [path, node] : other.live_names_) {
    live_names_[path] = copies[node];
  }
  for (const auto& [path, node] : other.durable_names_) {
    durable_names_[path] = copies[node];
  }
  for (const NameChange& change : other.pending_) {
    pending_.push_back({change.when, change.from, change.to, copies[change.node]});
  }
}

FakeDisk::NodePtr FakeDisk::fresh_node() {
  auto node = std::make_shared<Node>();
  node->number = ++nodes_made_;
  return node;
}

FileStatus FakeDisk::Node::status() const {
  FileStatus status;
  status.size = live.size();
  status.is_regular = true;
  status.modified = modified;
  status.permissions = permissions;
  status.id.inode = number;
  return status;
}

// ---- Names ----

FakeDisk::NodePtr FakeDisk::find(const Path& path) const {
  const auto found = live_names_.find(path);
  return found != live_names_.end() ? found->second : nullptr;
}

FakeDisk::NodePtr FakeDisk::make(const Path& path) {
  NodePtr node = fresh_node();
  live_names_[path] = node;
  pending_.push_back({changes_++, {}, path, node});
  return node;
}

void FakeDisk::rename(const Path& from, const Path& to) {
  const NodePtr node = find(from);
  live_names_.erase(from);
  live_names_[to] = node;
  pending_.push_back({changes_++, from, to, node});
}

bool FakeDisk::remove(const Path& path) {
  if (live_names_.erase(path) == 0) {
    return false;
  }
  pending_.push_back({changes_++, path, {}, nullptr});
  return true;
}

void FakeDisk::put_durable(const Path& path, std::string_view bytes, WallTime modified) {
  const NodePtr node = fresh_node();
  write(*node, bytes, 0);
  sync(*node);
  node->modified = modified;
  std::erase_if(pending_, [&](const NameChange& c) { return c.from == path || c.to == path; });
  live_names_[path] = node;
  durable_names_[path] = node;
}

void FakeDisk::apply(const NameChange& change) {
  if (!change.from.empty()) {
    durable_names_.erase(change.from);
  }
  if (!change.to.empty()) {
    durable_names_[change.to] = change.node;
  }
}

void FakeDisk::sync_folder(const Path& path) {
  std::vector<NameChange> later;
  for (NameChange& change : pending_) {
    if (change.from.parent_path() == path || change.to.parent_path() == path) {
      apply(change);
    } else {
      later.push_back(std::move(change));
    }
  }
  pending_ = std::move(later);
}

// ---- Bytes ----

void FakeDisk::write(Node& node, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const std::size_t page = offset / kPage;
    const std::size_t from = offset % kPage;
    const std::string_view part = bytes.substr(0, std::min(bytes.size(), kPage - from));
    if (offset + part.size() > node.live.size()) {
      resize(node, offset + part.size());
    }
    const unsigned sectors = sectors_of(from, from + part.size());
    node.unsynced.push_back(
        {changes_++, {Kind::kSectors, sectors}, page, node.live.write(page, from, part)});
    offset += part.size();
    bytes.remove_prefix(part.size());
  }
}

void FakeDisk::resize(Node& node, std::uint64_t size) {
  if (size != node.live.size()) {
    node.live.resize(size);
    node.unsynced.push_back({changes_++, {Kind::kSize, 1}, 0, nullptr, size});
  }
}

std::uint64_t FakeDisk::used() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, node] : live_names_) {
    bytes += node->live.size();
  }
  return bytes;
}

void FakeDisk::sync(Node& node) {
  node.durable = node.live;
  node.unsynced.clear();
}

void FakeDisk::fail_sync(Node& node, std::mt19937_64& random) {
  std::set<std::size_t> lost;
  for (const Change& change : node.unsynced) {
    if (change.unsynced.kind == Kind::kSectors && draw(random, 2) == 0) {
      lost.insert(change.page);
    }
  }
  const FakeBytes before = std::exchange(node.durable, node.live);
  const bool are_dropped_from_memory = draw(random, 2) == 0;
  for (const std::size_t page : lost) {
    node.durable.set_page(page, before.page(page));
    if (are_dropped_from_memory) {
      node.live.set_page(page, before.page(page));
    }
  }
  node.durable.trim();
  node.live.trim();
  node.unsynced.clear();
}

// ---- Power ----

std::set<FakeDisk::NodePtr> FakeDisk::nodes() const {
  std::set<NodePtr> all;
  for (const auto* names : {&live_names_, &durable_names_}) {
    for (const auto& [path, node] : *names) {
      all.insert(node);
    }
  }
  for (const NameChange& change : pending_) {
    if (change.node != nullptr) {
      all.insert(change.node);
    }
  }
  return all;
}

std::vector<FakeDisk::Ordered> FakeDisk::in_order() const {
  std::vector<Ordered> all;
  for (const NodePtr& node : nodes()) {
    for (const Change& change : node->unsynced) {
      all.push_back({change.when, node.get(), &change, nullptr});
    }
  }
  for (const NameChange& change : pending_) {
    all.push_back({change.when, nullptr, nullptr, &change});
  }
  std::sort(all.begin(), all.end(),
            [](const Ordered& a, const Ordered& b) { return a.when < b.when; });
  return all;
}

std::vector<FakeDisk::Unsynced> FakeDisk::unsynced() const {
  std::vector<Unsynced> all;
  for (const Ordered& each : in_order()) {
    all.push_back(each.unsynced());
  }
  return all;
}

void FakeDisk::lose_power(std::span<const unsigned> kept) {
  const std::vector<Ordered> all = in_order();
  const std::set<NodePtr> touched = nodes();
  for (std::size_t i = 0; i < all.size() && i < kept.size(); ++i) {
    const Ordered& each = all[i];
    if (kept[i] == 0) {
      continue;
    }
    if (each.name != nullptr) {
      apply(*each.name);
    } else if (each.bytes->unsynced.kind == Kind::kSize) {
      each.node->durable.resize(each.bytes->size);
    } else {
      each.node->durable.set_sectors(each.bytes->page, each.bytes->content,
                                     kept[i] & each.bytes->unsynced.sectors);
    }
  }
  for (const NodePtr& node : touched) {
    node->durable.trim();
    node->live = node->durable;
    node->unsynced.clear();
  }
  pending_.clear();
  live_names_ = durable_names_;
}

std::vector<unsigned> draw_survivors(std::span<const FakeDisk::Unsynced> unsynced,
                                     std::mt19937_64& random) {
  const bool has_journal = draw(random, 2) == 0;
  const std::size_t journal_end = draw(random, unsynced.size() + 1);
  std::vector<unsigned> kept;
  for (std::size_t i = 0; i < unsynced.size(); ++i) {
    if (unsynced[i].kind == Kind::kSectors) {
      const std::size_t fate = draw(random, 3);  // Lost, whole, or some of its sectors.
      const auto some = static_cast<unsigned>(draw(random, FakeBytes::kAllSectors + 1));
      kept.push_back(fate == 0 ? 0 : fate == 1 ? FakeBytes::kAllSectors : some);
    } else {
      kept.push_back((has_journal ? i < journal_end : draw(random, 2) == 0) ? 1 : 0);
    }
  }
  return kept;
}

}  // namespace millrace
