#include "channel/file/opening.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/checkpoint_file.h"
#include "channel/file/loading.h"
#include "channel/file/recovery.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kParkingSegment = std::uint64_t{4} << 20;

// The lane of a data dir as it was recovered.
std::unique_ptr<Lane> make_lane(const State& state, const Identity& identity,
                                const std::shared_ptr<const Keyring>& keys, std::size_t i,
                                RecoveredDir dir) {
  auto lane = std::make_unique<Lane>();
  lane->path = state.options.data_dirs[i];
  lane->directory = identity.directories[i];
  lane->last_sync = std::chrono::steady_clock::now();
  lane->is_for_parking = state.options.last_dir_parks && i + 1 == state.options.data_dirs.size();
  LogOptions log = log_options(state.options, identity, i, dir);
  log.keys = keys;
  if (lane->is_for_parking) {
    // Little is written there, and what finds no room is lost.
    log.segment_bytes = std::min(log.segment_bytes, kParkingSegment);
    log.minimum_free = 0;
  }
  lane->log = std::make_unique<LogWriter>(state.services.files, std::move(log));
  lane->segments = std::move(dir.segments);
  lane->last_order = dir.last_order;
  lane->synced_order = dir.last_order;
  if (!lane->segments.empty()) {
    const Segment& last = *lane->segments.back();
    lane->synced_order = last.order;
    lane->synced_offset = last.end;
    lane->unread = Unread{lane->segments.front(), kFirstRecord, 0};
  }
  for (Spare& spare : dir.spares) {
    lane->log->add_spare(std::move(spare));
  }
  return lane;
}

void adopt(State& state, const Identity& identity, const std::shared_ptr<const Keyring>& keys,
           Recovered recovered) {
  const std::lock_guard lock(state.mutex);
  state.channel = identity.channel;
  state.backlog.restore(recovered.events);
  state.lanes.clear();
  for (std::size_t i = 0; i < recovered.dirs.size(); ++i) {
    state.lanes.push_back(make_lane(state, identity, keys, i, std::move(recovered.dirs[i])));
  }
  if (!recovered.events.live.empty()) {
    log_info(state.options.name, "{} events are in it", recovered.events.live.count());
  }
  state.intents = recovered.events.intents;
  state.acks.clear();
  state.new_intents = {};
  state.first_ack = 0;
  if (recovered.used_checkpoint) {
    // It may know of acknowledgements that never came into the log, which has to tell them too once
    // the checkpoint is replaced or damaged.
    state.add_acks(state.backlog.gone(), state.intents);
  }
  state.must_reconcile = true;
  state.checkpoint_wanted = true;
  state.in_flight_bytes = 0;
  state.turn = 0;
  state.turn_bytes = 0;
  state.closing = false;
  state.open = true;
  reconcile(state);  // Where there is no segment, nobody reads.
}

}  // namespace

Result<DirLocks> open_storage(State& state) {
  const Options& options = state.options;
  FileSystem& files = state.services.files;
  DirLocks locks = TRY(open_folders(files, options));
  const std::vector<std::filesystem::path> checkpoint_dirs = options.checkpoint_dirs();
  const auto keys =
      std::make_shared<const Keyring>(TRY(read_keys(files, options.name, options.encryption)));
  if (options.encryption.encrypts()) {
    log_info(options.name, "new segments are encrypted with the key \"{}\"",
             options.encryption.active_key);
  }
  std::vector<Checkpoint> checkpoints = TRY(read_checkpoints(files, options.name, checkpoint_dirs));
  const Identity identity =
      TRY(identify(files, options.data_dirs, known_channel(files, options, checkpoints)));
  const std::size_t foreign = std::erase_if(checkpoints, [&](const Checkpoint& checkpoint) {
    return checkpoint.channel != identity.channel;
  });
  if (foreign > 0) {
    log_warning(options.name, "{} checkpoint(s) are of another channel", foreign);
  }
  Recovered recovered = TRY(recover(files, options, identity, *keys, checkpoints));
  remember(files, options, identity);
  adopt(state, identity, keys, std::move(recovered));
  return locks;
}

}  // namespace millrace::file_channel
