// How much memory this process may use: the machine's, or its control group's where that is less.
#pragma once

#include <cstdint>

#include "io/file_system.h"

namespace millrace {

// Bytes: the least of MemTotal, the cgroup v2 limits from our group up to the root, and the v1
// limit. 1 GiB where nothing can be read.
std::uint64_t memory_limit(FileSystem& files);

// Bytes of events that may be in flight by default: a quarter of the limit.
std::uint64_t default_memory_budget(FileSystem& files);

}  // namespace millrace
