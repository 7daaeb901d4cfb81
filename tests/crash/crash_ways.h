// The ways to cut short what a disk had not synced.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/fake_disk.h"

namespace millrace {

// Of each change the sectors that survive, as FakeDisk::lose_power() takes them.
using Kept = std::vector<unsigned>;

// Every first part, sector by sector; every last part; each change alone; all but each; and a few
// that are drawn. Each once.
std::vector<Kept> all_ways(std::span<const FakeDisk::Unsynced> all, std::uint64_t seed);

// Nothing, all, and half of it.
std::vector<Kept> few_ways(std::span<const FakeDisk::Unsynced> all);

}  // namespace millrace
