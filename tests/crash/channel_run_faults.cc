// What goes wrong in a life of ChannelRun, and how it ends.
#include <cerrno>

#include "base/log.h"
#include "channel_run.h"

namespace millrace {

using Operation = FakeFileSystem::Operation;

void ChannelRun::break_something() {
  constexpr Operation kBreakable[] = {Operation::kWrite,         Operation::kSync,
                                      Operation::kAllocate,      Operation::kRename,
                                      Operation::kSyncDirectory, Operation::kOpen,
                                      Operation::kRead,          Operation::kTruncate,
                                      Operation::kRemove,        Operation::kSize,
                                      Operation::kList,          Operation::kStatus,
                                      Operation::kFreeSpace,     Operation::kCreateDirectories};
  if (chance(5)) {
    kit_.files.set_room(draw(4) * 500'000);
    return;
  }
  Operation operation = kBreakable[draw(std::size(kBreakable))];
  if (operation == Operation::kSync && !shape_.syncs) {
    operation = Operation::kWrite;  // What was answered before its sync may be lost with that.
  }
  const std::uint64_t times = chance(6) ? UINT64_MAX : 1 + draw(3);
  const std::string under(chance(2) ? std::string_view() : kDirs[draw(dirs_)]);
  log_info("run", "operation {} fails {} times, in {}", static_cast<int>(operation), times,
           under.empty() ? "all dirs" : under);
  kit_.files.fail(operation, chance(2) ? EIO : chance(2) ? ENOSPC : EROFS, draw(8), times, under);
}

// ---- A death ----

void ChannelRun::die(Death death) {
  const bool may_stop = death == Death::kStop && user_.is_open() && !is_cut_;
  if (may_stop) {
    heal();
    const ChannelCounts counts = user_.stop();
    if (books_ == Books::kExact) {
      expected_ = counts;
    }
  }
  kit_.files.cut_power();  // From now on nothing of the old process reaches the disk.
  kit_.files.on_operation(nullptr);
  user_.leave();
  heal();
  const bool keeps_power = death == Death::kKill || (may_stop && chance(2));
  if (user_.is_open()) {
    const ChannelCounts counts = user_.counts();
    log_info("run", "put={} acknowledged={} dropped={} in channel={}", counts.put,
             counts.acknowledged, counts.dropped, counts.in_channel + counts.held);
  }
  log_info("run", "life {} ends {}", lives_,
           may_stop      ? "in order"
           : keeps_power ? "by a kill"
                         : "by a power loss");
  if (keeps_power) {
    kit_.files.end_process();
  } else {
    kit_.files.restore_power();
    user_.with_model([](ChannelModel& model) { model.lost_power(); });
    books_ = shape_.syncs || may_stop ? books_ : Books::kLost;
  }
  is_cut_ = false;
  if (chance(8)) {
    disturb_checkpoint();
  }
}

// It, or its backup, is emptied, damaged, removed, or put back as it was at some death before.
void ChannelRun::disturb_checkpoint() {
  const FakeFileSystem::Path path =
      chance(4) ? "/backup/channel.checkpoint" : "/check/channel.checkpoint";
  const std::string text = kit_.files.text(path);
  log_info("run", "the checkpoint is disturbed");
  if (!text.empty() && chance(4)) {
    static_cast<void>(kit_.files.remove(path));
  } else if (chance(2)) {
    kit_.files.put(path, chance(2) ? "" : "MRCHKPNT damaged");
  } else if (!old_checkpoint_.empty()) {
    kit_.files.put(path, old_checkpoint_);
  }
  old_checkpoint_ = text;
  expected_.reset();
  books_ = Books::kLost;
  user_.with_model([](ChannelModel& model) { model.changed_checkpoint(); });
}

}  // namespace millrace
