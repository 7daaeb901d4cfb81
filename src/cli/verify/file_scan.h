// Reads back what sinks wrote: text, a line an event, or Avro container files.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "cli/verify/tallies.h"
#include "io/file_system.h"

namespace millrace {

// The files below `paths`, sorted, folders searched through; names that begin with a dot are left
// out unless they were given themselves. An error names what cannot be read.
Result<std::vector<std::filesystem::path>> files_below(
    FileSystem& files, const std::vector<std::filesystem::path>& paths);

// Adds every event of the file. Streams: memory does not grow with the file. A torn or damaged Avro
// file becomes a note, and what is whole behind damage is read; an error is a file that cannot be
// read.
Result<> scan_file(FileSystem& files, const std::filesystem::path& path, Tallies& tallies);

}  // namespace millrace
