// What marks the borders of blocks in a file, Avro's or Hadoop's.
#pragma once

#include <string>

namespace millrace {

// 16 bytes that no data is likely to hold, from the system's random numbers.
std::string random_sync_marker();

}  // namespace millrace
