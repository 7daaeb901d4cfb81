#include "channel/file/opening.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/checkpoint_file.h"
#include "channel/file/identity.h"
#include "channel/file/recovery.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kParkingSegment = std::uint64_t{4} << 20;

Result<> make_dirs(State& state) {
  FileSystem& files = state.services.files;
  TRY(files.create_directories(state.options.checkpoint_dir));
  for (const std::filesystem::path& dir : state.options.data_dirs) {
    TRY(files.create_directories(dir));
  }
  return {};
}

// Whoever holds it may be on its way out, as an agent that stops while its successor starts.
Result<std::unique_ptr<FileLock>> lock_dir(FileSystem& files, const std::filesystem::path& dir) {
  Result<std::unique_ptr<FileLock>> lock = files.lock(lock_path(dir));
  if (!lock.ok() && lock.error().fault() == Fault::kConfig) {
    return transient(lock.error().message());
  }
  return lock;
}

Result<DirLocks> lock_dirs(State& state) {
  FileSystem& files = state.services.files;
  DirLocks locks;
  locks.push_back(TRY(lock_dir(files, state.options.checkpoint_dir)));
  for (const std::filesystem::path& dir : state.options.data_dirs) {
    locks.push_back(TRY(lock_dir(files, dir)));
  }
  return locks;
}

std::optional<KnownEvents> known_events(const Options& options,
                                        const std::optional<Checkpoint>& checkpoint) {
  if (!checkpoint || checkpoint->live.empty()) {
    return std::nullopt;
  }
  KnownEvents known{checkpoint->channel, 0, checkpoint_path(options.checkpoint_dir)};
  for (const EventRange& range : checkpoint->live) {
    known.events += range.count();
  }
  return known;
}

// The lane of a data dir as it was recovered.
std::unique_ptr<Lane> make_lane(const State& state, const Identity& identity,
                                const std::shared_ptr<const Keyring>& keys, std::size_t i,
                                RecoveredDir dir) {
  auto lane = std::make_unique<Lane>();
  lane->path = state.options.data_dirs[i];
  lane->directory = identity.directories[i];
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
  state.acks.clear();
  state.first_ack = 0;
  if (recovered.used_checkpoint) {
    // It may know of acknowledgements that never came into the log, which has to tell them too once
    // the checkpoint is replaced or damaged.
    state.add_acks(state.backlog.live().gaps({0, state.backlog.next()}));
  }
  state.must_reconcile = true;
  state.checkpoint_wanted = true;
  state.in_flight_bytes = 0;
  state.turn = 0;
  state.turn_bytes = 0;
  state.closing = false;
  state.open = true;
}

}  // namespace

Result<DirLocks> open_storage(State& state) {
  const Options& options = state.options;
  FileSystem& files = state.services.files;
  TRY(make_dirs(state));
  DirLocks locks = TRY(lock_dirs(state));
  const auto keys =
      std::make_shared<const Keyring>(TRY(read_keys(files, options.name, options.encryption)));
  if (options.encryption.encrypts()) {
    log_info(options.name, "new segments are encrypted with the key \"{}\"",
             options.encryption.active_key);
  }
  std::optional<Checkpoint> checkpoint =
      TRY(read_checkpoint(files, options.name, options.checkpoint_dir));
  const Identity identity =
      TRY(identify(files, options.data_dirs, known_events(options, checkpoint)));
  if (checkpoint && checkpoint->channel != identity.channel) {
    log_warning(options.name, "the checkpoint in {} is of another channel",
                options.checkpoint_dir.string());
    checkpoint.reset();
  }
  adopt(state, identity, keys, TRY(recover(files, options, identity, *keys, checkpoint)));
  return locks;
}

}  // namespace millrace::file_channel
