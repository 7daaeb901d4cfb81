// What is in a Flume file channel: its checkpoint and the transactions behind it, or all of its
// log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "channel/flume_log/checkpoint.h"
#include "channel/flume_log/folders.h"

namespace millrace::flume_log {

// Bytes [from.offset, to) of a log that could not be read, and why.
struct Damage {
  std::filesystem::path log;
  Pointer from;
  std::uint64_t to = 0;
  std::string what;
  bool is_one_record = false;
};

// found = events + taken + uncommitted + damages.
struct Contents {
  std::vector<Pointer> events;    // In the channel, in order; some may turn out to be unreadable.
  std::uint64_t found = 0;        // Events that the checkpoint and the records read speak of.
  std::uint64_t taken = 0;        // By a sink that committed.
  std::uint64_t uncommitted = 0;  // Puts that were rolled back, or never committed.
  // Of transactions whose commit may have been in a damaged range: they are in `events`.
  std::uint64_t doubtful = 0;
  std::vector<Damage> damages;       // Each counts for one event.
  std::vector<std::string> remarks;  // What an operator should know.
};

// As Flume's own start would, but that damage costs what it hits and no more, and that takes which
// were under way at the checkpoint and rolled back later are not doubled. Costs 8 to 16 bytes of
// memory an event. An error is the disk's.
Result<Contents> replay(FileSystem& files, const Folders& folders,
                        const CheckpointReading& reading);

}  // namespace millrace::flume_log
