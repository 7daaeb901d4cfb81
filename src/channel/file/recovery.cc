#include "channel/file/recovery.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/log_contents.h"
#include "channel/file/quarantine.h"

namespace millrace::file_channel {
namespace {

using Path = std::filesystem::path;

void tell_misfits(const std::string& name, const std::vector<FoundDir>& found,
                  const std::vector<std::string>& misfits, std::size_t checkpoints) {
  for (const std::string& misfit : misfits) {
    log_error(name, "the checkpoint {}", misfit);
  }
  const bool is_new = std::all_of(found.begin(), found.end(),
                                  [](const FoundDir& dir) { return dir.segments.empty(); });
  if (misfits.size() == checkpoints && !is_new) {
    log_warning(name, "no usable checkpoint: all records of the log are gone through");
  }
}

Result<> keep_as(FileSystem& files, const std::string& name, const Path& path,
                 std::string_view suffix, std::string_view why) {
  Path kept = path;
  kept.replace_extension(suffix);
  log_error(name, "{} {}: the file is kept as {}", path.string(), why, kept.string());
  TRY(files.rename(path, kept));
  return files.sync_directory(kept.parent_path());
}

// What is no segment, or no other one, is renamed, so that nothing writes over it.
Result<> keep_strange(FileSystem& files, const std::string& name, const FoundDir& dir) {
  for (const Path& path : dir.headless) {
    TRY(keep_as(files, name, path, ".damaged", "has a damaged header"));
  }
  for (const Path& path : dir.copies) {
    TRY(keep_as(files, name, path, ".copy", "is a copy of another segment"));
  }
  return {};
}

SegmentPtr segment_of(const SegmentContents& contents) {
  auto segment = std::make_shared<Segment>();
  segment->path = contents.found.path;
  segment->order = contents.found.header.order;
  segment->generation = contents.found.header.generation;
  segment->key = contents.found.key;
  segment->numbers = contents.numbers;
  segment->end = contents.end;
  return segment;
}

Result<> report_damage(FileSystem& files, const Options& options, const SegmentContents& contents,
                       const Segment& segment) {
  if (!contents.damaged.empty()) {
    const std::unique_ptr<File> file = TRY(files.open(segment.path, OpenMode::kRead));
    set_aside(files, options, segment, *file, contents.damaged);
  }
  for (const ByteRange& bytes : contents.damaged_acknowledgements) {
    log_error(options.name, "{}: a damaged acknowledgement at byte {}; its events may come again",
              segment.path.string(), bytes.from);
  }
  if (contents.incomplete) {
    log_warning(options.name,
                "{}: the record at byte {} is incomplete: of its events those that are whole are "
                "delivered",
                segment.path.string(), contents.incomplete->from);
  }
  return {};
}

// The last segment is written on no more: what it does not use goes back to the disk. It is synced
// because a killed process leaves bytes that only the kernel's memory has.
Result<> close_last(FileSystem& files, const Segment& segment) {
  constexpr std::uint64_t kWorthCutting = std::uint64_t{1} << 20;
  const std::unique_ptr<File> file = TRY(files.open(segment.path, OpenMode::kReadWrite));
  if (TRY(file->size()) >= segment.end + kWorthCutting) {
    TRY(file->truncate(segment.end));
  }
  return file->sync_data();
}

Result<RecoveredDir> mend(FileSystem& files, const Options& options, const FoundDir& found,
                          const DirContents& contents) {
  RecoveredDir dir{{}, found.spares, contents.last_order, found.last_slot};
  for (const SegmentContents& each : contents.segments) {
    if (!each.is_needed) {
      dir.spares.push_back({each.found.path});
      continue;
    }
    const SegmentPtr segment = segment_of(each);
    TRY(report_damage(files, options, each, *segment));
    dir.segments.push_back(segment);
  }
  if (!dir.segments.empty()) {
    TRY(close_last(files, *dir.segments.back()));
  }
  return dir;
}

}  // namespace

Result<Recovered> recover(FileSystem& files, const Options& options, const Identity& identity,
                          const Keyring& keys, const std::vector<Checkpoint>& checkpoints) {
  const std::vector<FoundDir> found = TRY(survey_dirs(files, options.data_dirs, identity, keys));
  for (const FoundDir& dir : found) {
    TRY(keep_strange(files, options.name, dir));
  }
  Recovered recovered;
  FittedLog fitted = TRY(read_log(files, found, identity, checkpoints));
  tell_misfits(options.name, found, fitted.misfits, checkpoints.size());
  recovered.used_checkpoint = fitted.misfits.size() < checkpoints.size();
  for (std::size_t i = 0; i < found.size(); ++i) {
    recovered.dirs.push_back(TRY(mend(files, options, found[i], fitted.log.dirs[i])));
  }
  recovered.events = std::move(fitted.log.events);
  if (const std::uint64_t lost = recovered.events.lost; lost > 0) {
    log_error(options.name,
              "{} events lost: the checkpoint knew of them, the log does not hold them", lost);
  }
  return recovered;
}

LogOptions log_options(const Options& options, const Identity& identity, std::size_t i,
                       const RecoveredDir& dir) {
  LogOptions log{.dir = options.data_dirs[i],
                 .channel = identity.channel,
                 .directory = identity.directories[i],
                 .segment_bytes = options.segment_bytes,
                 .minimum_free = options.minimum_free,
                 .next_order = dir.last_order + 1,
                 .next_slot = dir.last_slot + 1};
  if (!dir.segments.empty()) {
    log.previous_generation = dir.segments.back()->generation;
    log.previous_end = dir.segments.back()->end;
  }
  return log;
}

}  // namespace millrace::file_channel
