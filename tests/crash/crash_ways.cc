#include "crash_ways.h"

#include <algorithm>
#include <random>

namespace millrace {
namespace {

using Unsynced = FakeDisk::Unsynced;
constexpr int kDraws = 4;

// The changes up to `end`, and of the next one some sectors.
Kept first_part(std::span<const Unsynced> all, std::size_t end, unsigned sectors = 0) {
  Kept kept(all.size(), 0);
  std::fill_n(kept.begin(), end, FakeBytes::kAllSectors);
  if (end < all.size()) {
    kept[end] = sectors;
  }
  return kept;
}

}  // namespace

std::vector<Kept> all_ways(std::span<const Unsynced> all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Kept> found{first_part(all, all.size())};
  for (std::size_t i = 0; i < all.size(); ++i) {
    found.push_back(first_part(all, i));
    unsigned sectors = 0;
    for (unsigned bit = 1; bit < all[i].sectors; bit <<= 1U) {
      sectors |= all[i].sectors & bit;
      if (sectors != 0 && sectors != all[i].sectors) {
        found.push_back(first_part(all, i, sectors));
      }
    }
    Kept alone(all.size(), 0);
    alone[i] = FakeBytes::kAllSectors;
    found.push_back(alone);
    Kept missing = first_part(all, all.size());
    missing[i] = 0;
    found.push_back(missing);
    Kept last_part = first_part(all, all.size());
    std::fill_n(last_part.begin(), i, 0);
    found.push_back(last_part);
  }
  for (int i = 0; i < kDraws && !all.empty(); ++i) {
    found.push_back(draw_survivors(all, random));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Kept> few_ways(std::span<const Unsynced> all) {
  if (all.empty()) {
    return {Kept()};
  }
  return {first_part(all, 0), first_part(all, all.size()),
          first_part(all, all.size() / 2, all[all.size() / 2].sectors & 0b10101010U)};
}

}  // namespace millrace
