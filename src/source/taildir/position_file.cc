#include "source/taildir/position_file.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "io/atomic_file.h"
#include "source/taildir/flat_json.h"

namespace millrace {
namespace {

using Path = std::filesystem::path;

Path with_suffix(Path path, std::string_view suffix) {
  path += suffix;
  return path;
}

// Java has no numbers without a sign.
std::int64_t java_long(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

}  // namespace

PositionFile::PositionFile(FileSystem& files, Path path)
    : files_(files), path_(std::move(path)), heads_path_(with_suffix(path_, ".heads")) {}

Result<> PositionFile::open() {
  TRY(files_.create_directories(path_.parent_path()));
  auto lock = files_.lock(with_suffix(path_, ".lock"));
  if (!lock.ok()) {  // An agent that is still stopping lets it go soon.
    return transient("position file: " + lock.error().message());
  }
  lock_ = std::move(lock).value();
  return {};
}

Result<LoadedEntries> PositionFile::load() {
  LoadedEntries loaded = parse_positions(TRY(read(path_)), path_.string());
  parse_heads(TRY(read(heads_path_)), heads_path_.string(), loaded);
  written_.clear();  // Whatever it is, it is not what will be written.
  written_heads_.clear();
  return loaded;
}

// Empty where there is none.
Result<std::string> PositionFile::read(const Path& path) const {
  if (!files_.exists(path)) {
    return std::string();
  }
  return read_file(files_, path);
}

Result<> PositionFile::save(std::span<const TailEntry> entries) {
  TRY(replace(heads_path_, heads_text(entries), written_heads_));
  return replace(path_, positions_text(entries), written_);
}

Result<> PositionFile::replace(const Path& path, std::string text, std::string& written) {
  if (text == written) {
    return {};
  }
  TRY(replace_file(files_, path, text));
  written = std::move(text);
  return {};
}

LoadedEntries parse_positions(std::string_view json, const std::string& name) {
  FlatObjects read = read_flat_objects(json);
  LoadedEntries loaded;
  std::size_t incomplete = 0;
  for (const FlatObject& object : read.objects) {
    const auto inode = object.number("inode");
    const auto position = object.number("pos");
    const std::string* const path = object.text("file");
    if (!inode || !position || *position < 0 || path == nullptr) {
      ++incomplete;
      continue;
    }
    loaded.entries.push_back(
        {static_cast<std::uint64_t>(*inode), static_cast<std::uint64_t>(*position), *path, {}});
  }
  loaded.is_damaged = !read.damage.empty() || incomplete > 0;
  if (!read.damage.empty()) {
    loaded.findings.push_back(
        fmt::format("position file {} is damaged: {}; {} positions could be read, other files are "
                    "read from their beginning",
                    name, read.damage, loaded.entries.size()));
  }
  if (incomplete > 0) {
    loaded.findings.push_back(
        fmt::format("position file {}: {} entries lack inode, pos or file; these files are read "
                    "from their beginning",
                    name, incomplete));
  }
  return loaded;
}

void parse_heads(std::string_view json, const std::string& name, LoadedEntries& loaded) {
  const FlatObjects read = read_flat_objects(json);
  std::map<std::pair<std::uint64_t, std::string>, FileHead> heads;
  for (const FlatObject& object : read.objects) {
    const auto inode = object.number("inode");
    const auto size = object.number("size");
    const auto crc = object.number("crc");
    const std::string* const path = object.text("file");
    if (inode && size && crc && path != nullptr && *size > 0 &&
        *size <= static_cast<std::int64_t>(FileHead::kMost)) {
      heads[{static_cast<std::uint64_t>(*inode), *path}] = {static_cast<std::uint32_t>(*size),
                                                            static_cast<std::uint32_t>(*crc)};
    }
  }
  for (TailEntry& entry : loaded.entries) {
    if (const auto found = heads.find({entry.inode, entry.path}); found != heads.end()) {
      entry.head = found->second;
    }
  }
  if (!read.damage.empty()) {
    loaded.findings.push_back(fmt::format(
        "{} is damaged: {}; files are known by inode and path alone", name, read.damage));
  }
}

std::string positions_text(std::span<const TailEntry> entries) {
  std::string text = "[";
  for (const TailEntry& entry : entries) {
    text += fmt::format("{}{{\"inode\":{},\"pos\":{},\"file\":", text.size() > 1 ? "," : "",
                        java_long(entry.inode), java_long(entry.position));
    append_json_text(text, entry.path);
    text += '}';
  }
  return text + "]";
}

std::string heads_text(std::span<const TailEntry> entries) {
  std::string text = "[";
  for (const TailEntry& entry : entries) {
    if (entry.head.size == 0) {
      continue;
    }
    text +=
        fmt::format("{}{{\"inode\":{},\"size\":{},\"crc\":{},\"file\":", text.size() > 1 ? "," : "",
                    java_long(entry.inode), entry.head.size, entry.head.crc);
    append_json_text(text, entry.path);
    text += '}';
  }
  return text + "]";
}

}  // namespace millrace
