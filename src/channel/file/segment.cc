#include "channel/file/segment.h"

#include <fmt/core.h>

#include <charconv>
#include <string_view>

namespace millrace::file_channel {
namespace {

constexpr std::string_view kPrefix = "segment-";
constexpr std::string_view kSuffix = ".wal";

}  // namespace

std::filesystem::path segment_path(const std::filesystem::path& dir, std::uint64_t slot) {
  return dir / fmt::format("{}{:06}{}", kPrefix, slot, kSuffix);
}

std::uint64_t segment_slot(const std::string& name) {
  std::string_view digits = name;
  if (!digits.starts_with(kPrefix) || !digits.ends_with(kSuffix)) {
    return 0;
  }
  digits.remove_prefix(kPrefix.size());
  digits.remove_suffix(kSuffix.size());
  std::uint64_t slot = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
  return error == std::errc() && end == digits.data() + digits.size() ? slot : 0;
}

}  // namespace millrace::file_channel
