#include "io/memory_limit.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace millrace {
namespace {

using Path = std::filesystem::path;

constexpr std::uint64_t kUnknown = std::uint64_t{1} << 30;

std::optional<std::uint64_t> leading_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;  // "max" is no number.
}

std::optional<std::uint64_t> number_in(FileSystem& files, const Path& path) {
  const Result<std::string> text = read_file(files, path);
  return text.ok() ? leading_number(text.value()) : std::nullopt;
}

// "MemTotal:       24580000 kB"
std::optional<std::uint64_t> memory_total(FileSystem& files) {
  const Result<std::string> text = read_file(files, "/proc/meminfo");
  if (!text.ok()) {
    return std::nullopt;
  }
  constexpr std::string_view kName = "MemTotal:";
  const std::string_view all = text.value();
  const std::size_t at = all.find(kName);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t digits = all.find_first_not_of(' ', at + kName.size());
  const auto kilobytes = leading_number(all.substr(std::min(digits, all.size())));
  return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

// The path of our control group: the line "0::/PATH" of /proc/self/cgroup.
std::string own_group(FileSystem& files) {
  const Result<std::string> text = read_file(files, "/proc/self/cgroup");
  if (!text.ok()) {
    return {};
  }
  const std::string_view all = text.value();
  const std::size_t at = all.find("0::/");
  if (at == std::string_view::npos) {
    return {};
  }
  const std::string_view path = all.substr(at + 4);
  return std::string(path.substr(0, path.find('\n')));
}

}  // namespace

std::uint64_t memory_limit(FileSystem& files) {
  std::uint64_t limit = memory_total(files).value_or(kUnknown);
  const Path root = "/sys/fs/cgroup";
  for (Path group = root / own_group(files);; group = group.parent_path()) {
    limit = std::min(limit, number_in(files, group / "memory.max").value_or(limit));
    if (group == root || !group.has_relative_path()) {
      break;
    }
  }
  // Version 1 writes a number near 2^63 for "no limit", which min() passes over.
  return std::min(limit, number_in(files, root / "memory/memory.limit_in_bytes").value_or(limit));
}

std::uint64_t default_memory_budget(FileSystem& files) {
  return memory_limit(files) / 4;
}

}  // namespace millrace
