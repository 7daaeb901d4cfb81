// How many files the process may have open: connections, tailed files, all that has a descriptor.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace millrace {

// Lets the process open as many files as the hard limit says; the number is returned.
Result<std::uint64_t> raise_open_file_limit();

// As many as it may open now; 0 when that cannot be told.
std::uint64_t open_file_limit();

// Connections are not to take the last descriptors: what the process writes and who asks how it is
// need some too. True when no more than those are left.
bool few_open_files_left();

// For people: where to set the limit to `number` or more.
std::string how_to_allow_open_files(std::uint64_t number);

}  // namespace millrace
