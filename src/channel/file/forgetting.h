// The way out when a data dir is gone for good: its channel goes on without it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "channel/file/channel_view.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// What is given up with data dirs that are lost.
struct Loss {
  ChannelView view;  // What is left, as the next start finds it.
  // Events that the checkpoint knows of and nothing that is left holds: the next start counts them
  // as dropped. Only what came in up to a checkpoint can be known.
  std::uint64_t events = 0;
  std::uint64_t events_left = 0;

  // Of the lost dirs, those that are named in dataDirs still.
  std::vector<std::filesystem::path> taken_as_new;  // They are empty.
  std::vector<std::filesystem::path> in_the_way;    // A start waits for them, or refuses them.
};

// Tells what is lost with the dirs `channel.given_up`, and `for_good` takes them out of the
// channel: durable when this returns; a power cut leaves all of it, or as if nothing had been done.
// Locks the other folders as a start does. kConfig when one of them is not lost, when another dir
// is missing too or none is left, or as view_channel(); kTransient, naming the process, when one is
// in use, or when the disk fails.
Result<Loss> forget_dirs(FileSystem& files, const ChannelFolders& channel, bool for_good);

}  // namespace millrace::file_channel
