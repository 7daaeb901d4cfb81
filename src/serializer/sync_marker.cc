#include "serializer/sync_marker.h"

#include <random>

#include "base/bytes.h"

namespace millrace {
namespace {

constexpr std::size_t kBytes = 16;

}  // namespace

std::string random_sync_marker() {
  std::random_device random;
  std::string marker;
  while (marker.size() < kBytes) {
    append_little<std::uint32_t>(marker, random());
  }
  return marker;
}

}  // namespace millrace
