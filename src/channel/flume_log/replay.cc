#include "channel/flume_log/replay.h"

#include <algorithm>
#include <list>
#include <unordered_map>
#include <utility>

#include "channel/flume_log/dir_scan.h"
#include "channel/flume_log/event_reader.h"
#include "channel/flume_log/pointer_queue.h"

namespace millrace::flume_log {
namespace {

// The transactions, and the queue that follows from them.
class Replay {
 public:
  Replay(const Folders& folders, Contents& contents) : contents_(contents) {
    for (const LogFile& log : folders.logs) {
      dir_of_log_[log.meta.log] = log.dir;
    }
  }

  // `taken` are the checkpoint's takes, in the order of their puts.
  void start_from(const FlumeCheckpoint& checkpoint, const std::vector<Pointer>& taken);
  void apply(const ScannedRecord& record, Pointer pointer);
  void finish();

 private:
  struct Open {
    std::vector<Pointer> puts;
    std::vector<Pointer> takes;
  };

  void commit(std::int64_t transaction, RecordType what);
  void roll_back(std::int64_t transaction);
  void excuse_damaged_puts_that_were_taken();
  void settle_open_puts();

  Contents& contents_;
  PointerQueue queue_;
  std::unordered_map<std::int64_t, Open> open_;
  std::unordered_map<std::uint32_t, std::size_t> dir_of_log_;
};

// Events that were taken, and not yet committed by their sink, come first again.
void Replay::start_from(const FlumeCheckpoint& checkpoint, const std::vector<Pointer>& taken) {
  for (const auto& [transaction, pointers] : checkpoint.takes) {
    open_[transaction].takes = pointers;
  }
  queue_.append(taken);
  queue_.append(checkpoint.queue);
  contents_.found += taken.size() + checkpoint.queue.size();
  for (const auto& [transaction, pointers] : checkpoint.puts) {
    open_[transaction].puts = pointers;
    contents_.found += pointers.size();
  }
}

void Replay::apply(const ScannedRecord& record, Pointer pointer) {
  const std::int64_t transaction = record.header.transaction;
  switch (record.header.type) {
    case RecordType::kPut:
      ++contents_.found;
      open_[transaction].puts.push_back(pointer);
      break;
    case RecordType::kTake:
      // The scanner has seen that both can be decoded.
      open_[transaction].takes.push_back(decode_take(record.body).value());
      break;
    case RecordType::kRollback:
      roll_back(transaction);
      break;
    case RecordType::kCommit:
      commit(transaction, decode_commit(record.body).value());
      break;
  }
}

void Replay::commit(std::int64_t transaction, RecordType what) {
  const auto node = open_.extract(transaction);
  if (node.empty()) {
    return;  // Its records are in logs that Flume has removed, or are damaged.
  }
  // A transaction of Flume's has puts or takes, and a commit of their kind. Where damage says
  // otherwise, an event comes once too often rather than not at all.
  queue_.append(node.mapped().puts);
  if (what == RecordType::kTake) {
    queue_.remove(node.mapped().takes);
  }
}

void Replay::roll_back(std::int64_t transaction) {
  const auto node = open_.extract(transaction);
  if (!node.empty()) {
    contents_.uncommitted += node.mapped().puts.size();
  }
}

void Replay::finish() {
  queue_.settle();
  excuse_damaged_puts_that_were_taken();
  settle_open_puts();
  queue_.settle();
  contents_.taken += queue_.taken();
  contents_.events = queue_.events();
  contents_.found += contents_.damages.size();
}

void Replay::excuse_damaged_puts_that_were_taken() {
  const std::vector<Pointer>& untold = queue_.untold();
  const std::size_t excused = std::erase_if(contents_.damages, [&](const Damage& damage) {
    return damage.is_one_record && std::binary_search(untold.begin(), untold.end(), damage.from);
  });
  contents_.taken += excused;
  contents_.found += excused;
}

// A transaction that did not end was under way when Flume ended, and its client was not told
// anything; but if damage follows it, that may have hit its commit.
void Replay::settle_open_puts() {
  std::unordered_map<std::size_t, Pointer> last_damage;  // By data dir.
  for (const Damage& damage : contents_.damages) {
    Pointer& last = last_damage[dir_of_log_[damage.from.file]];
    last = std::max(last, damage.from);
  }
  std::vector<Pointer> doubtful;
  for (const auto& [transaction, open] : open_) {
    if (open.puts.empty()) {
      continue;
    }
    const auto damage = last_damage.find(dir_of_log_[open.puts.back().file]);
    if (damage != last_damage.end() && open.puts.back() < damage->second) {
      doubtful.insert(doubtful.end(), open.puts.begin(), open.puts.end());
    } else {
      contents_.uncommitted += open.puts.size();
    }
  }
  std::sort(doubtful.begin(), doubtful.end());
  contents_.doubtful = doubtful.size();
  queue_.append(doubtful);
}

// Flume's file does not tell their order, and logs of several data dirs have none among them.
Result<std::vector<Pointer>> taken_in_order(FileSystem& files, const Folders& folders,
                                            const Inflight& takes) {
  EventReader reader(files, folders);
  std::vector<std::pair<std::int64_t, Pointer>> ordered;
  for (const auto& [transaction, pointers] : takes) {
    for (const Pointer& pointer : pointers) {
      ordered.emplace_back(TRY(reader.write_order(pointer)), pointer);
    }
  }
  std::sort(ordered.begin(), ordered.end());
  std::vector<Pointer> taken;
  for (const auto& [order, pointer] : ordered) {
    taken.push_back(pointer);
  }
  return taken;
}

}  // namespace

Result<Contents> replay(FileSystem& files, const Folders& folders,
                        const CheckpointReading& reading) {
  const FlumeCheckpoint* const checkpoint = reading.checkpoint ? &*reading.checkpoint : nullptr;
  Contents contents;
  Replay state(folders, contents);
  if (checkpoint != nullptr) {
    state.start_from(*checkpoint, TRY(taken_in_order(files, folders, checkpoint->takes)));
  }
  std::list<DirScan> dirs;
  for (std::size_t dir = 0; dir < folders.data_dirs.size(); ++dir) {
    DirScan scan(files, folders, dir, checkpoint);
    if (TRY(scan.advance(contents))) {
      dirs.push_back(std::move(scan));
    }
  }
  const auto earlier = [](const DirScan& a, const DirScan& b) { return a.rank() < b.rank(); };
  while (!dirs.empty()) {
    const auto next = std::min_element(dirs.begin(), dirs.end(), earlier);
    state.apply(next->record(), next->pointer());
    if (!TRY(next->advance(contents))) {
      dirs.erase(next);
    }
  }
  state.finish();
  return contents;
}

}  // namespace millrace::flume_log
