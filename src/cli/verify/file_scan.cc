#include "cli/verify/file_scan.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "serializer/avro_container.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kMostLineBytes = std::size_t{32}
                                       << 20;  // The rest of a longer one is skipped.

// Cuts a stream into lines. A last one without newline is given at the end.
class Lines {
 public:
  explicit Lines(Tallies& tallies) : tallies_(tallies) {}

  void feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view line = bytes.substr(0, end);
      if (end == std::string_view::npos) {
        begun_.append(line.substr(0, kMostLineBytes - std::min(kMostLineBytes, begun_.size())));
        return;
      }
      if (begun_.empty()) {
        tallies_.add(line);
      } else {
        begun_.append(line.substr(0, kMostLineBytes - std::min(kMostLineBytes, begun_.size())));
        end_line();
      }
      bytes.remove_prefix(end + 1);
    }
  }
  void end() {
    if (!begun_.empty()) {
      end_line();
    }
  }

 private:
  void end_line() {
    tallies_.add(begun_);
    begun_.clear();
  }

  Tallies& tallies_;
  std::string begun_;
};

Result<> scan_text(const File& file, std::string& chunk, std::size_t filled, Tallies& tallies) {
  Lines lines(tallies);
  for (std::uint64_t offset = 0; filled > 0;) {
    lines.feed(std::string_view(chunk).substr(0, filled));
    offset += filled;
    filled = TRY(file.read_at(chunk, offset));
  }
  lines.end();
  return {};
}

// Events of one block; the first problem becomes a note.
void add_block(const std::string& name, const AvroBlock& block, Tallies& tallies) {
  AvroEvents events(block);
  AvroEvent event;
  for (;;) {
    const Result<bool> more = events.next(event);
    if (!more.ok()) {
      tallies.note({name, block.offset, name + ": " + more.error().message()});
      return;
    }
    if (!more.value()) {
      return;
    }
    tallies.add(event.body);
  }
}

Result<> scan_avro(FileSystem& files, const std::filesystem::path& path, Tallies& tallies) {
  const std::string name = path.string();
  AvroContainerReader reader = TRY(AvroContainerReader::open(files, path));
  for (;;) {
    Result<std::optional<AvroBlock>> block = reader.next_block();
    if (block.ok()) {
      if (!block.value()) {
        return {};
      }
      add_block(name, **block, tallies);
      continue;
    }
    if (block.error().fault() != Fault::kCorrupt) {
      return std::move(block).error();
    }
    tallies.note({name, reader.whole_bytes(), block.error().message()});
    if (!TRY(reader.skip_damage())) {
      return {};
    }
  }
}

// What is to be read, each file once: links, or a path given twice, may lead to it more often.
class Search {
 public:
  explicit Search(FileSystem& files) : files_(files) {}

  Result<> add(const std::filesystem::path& path) {
    const FileStatus status = TRY(files_.status(path).with(path.string()));
    std::error_code ignored;
    if (!seen_.insert(std::filesystem::weakly_canonical(path, ignored)).second) {
      return {};
    }
    if (!status.is_directory) {
      found_.push_back(path);
      return {};
    }
    for (const std::string& name : TRY(files_.list(path))) {
      if (!name.starts_with('.') && !is_endless(path / name)) {
        TRY(add(path / name));
      }
    }
    return {};
  }
  std::vector<std::filesystem::path> found() && { return std::move(found_); }

 private:
  // A pipe or a device: reading it may never end. One that is given by name is meant.
  static bool is_endless(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_other(path, ignored);
  }

  FileSystem& files_;
  std::set<std::filesystem::path> seen_;
  std::vector<std::filesystem::path> found_;
};

}  // namespace

Result<std::vector<std::filesystem::path>> files_below(
    FileSystem& files, const std::vector<std::filesystem::path>& paths) {
  Search search(files);
  for (const std::filesystem::path& path : paths) {
    TRY(search.add(path));
  }
  return std::move(search).found();
}

Result<> scan_file(FileSystem& files, const std::filesystem::path& path, Tallies& tallies) {
  const std::unique_ptr<File> file = TRY(files.open(path, OpenMode::kRead));
  std::string chunk(kChunkBytes, '\0');
  const std::size_t filled = TRY(file->read_at(chunk, 0).with(path.string()));
  tallies.count_file();
  const std::string_view begin = std::string_view(chunk).substr(0, filled);
  if (begin.starts_with(kAvroMagic) || (!begin.empty() && kAvroMagic.starts_with(begin))) {
    return scan_avro(files, path, tallies);
  }
  return scan_text(*file, chunk, filled, tallies).with(path.string());
}

}  // namespace millrace
