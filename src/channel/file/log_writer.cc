#include "channel/file/log_writer.h"

#include <algorithm>

#include "base/log.h"
#include "channel/file/identity.h"

namespace millrace::file_channel {

LogWriter::LogWriter(FileSystem& files, LogOptions options)
    : files_(files),
      options_(std::move(options)),
      next_order_(options_.next_order),
      next_slot_(options_.next_slot),
      previous_generation_(options_.previous_generation),
      previous_end_(options_.previous_end) {}

bool LogWriter::must_roll(std::uint64_t bytes) const {
  return active_ == nullptr || std::max(position_, kFirstRecord) + bytes > active_bytes_;
}

Result<> LogWriter::prepare(std::uint64_t bytes) {
  if (!must_roll(bytes)) {
    return {};
  }
  if (active_ != nullptr && position_ == 0) {
    add_spare({active_->path});  // Too small for a large record, and untouched.
  } else if (active_ != nullptr) {
    TRY(sync());
    previous_generation_ = active_->generation;
    previous_end_ = settled_;
  }
  active_.reset();
  return open_segment(std::max(options_.segment_bytes, kFirstRecord + bytes));
}

Result<GroupPlace> LogWriter::append(GroupWriter& group) {
  TRY(prepare(group.size()));
  GroupPlace place{active_, position_, 0, position_ == 0};
  std::string header;
  if (place.is_new_segment) {
    header = encode_segment_header({.channel = options_.channel,
                                    .directory = options_.directory,
                                    .generation = active_->generation,
                                    .order = active_->order,
                                    .previous_generation = previous_generation_,
                                    .previous_end = previous_end_});
    if (active_->key != nullptr) {
      seal_segment_header(header, *active_->key);
    }
    place.from = header.size();
  }
  place.end = place.from + group.size();
  std::span<const iovec> pieces = group.pieces(active_->generation, header);
  iovec sealed;
  if (active_->key != nullptr) {
    sealed = sealer_.seal(pieces, header.size(), position_);
    pieces = {&sealed, 1};
  }
  TRY(active_->file->write_at(pieces, position_));
  position_ = place.end;
  return place;
}

Result<> LogWriter::sync() {
  if (active_ == nullptr || synced_ == position_) {
    return {};
  }
  Result<> synced = active_->file->sync_data();
  if (synced.ok()) {
    synced_ = position_;
  } else {
    give_up();
  }
  return synced;
}

Result<> LogWriter::settle(std::uint64_t end, bool synced) {
  // Else what is acknowledged now would be gone when the file is closed.
  if (!files_.exists(active_->path)) {
    return transient(active_->path.string() + " was moved or removed while it was written");
  }
  settled_ = end;
  synced_ = synced ? std::max(synced_, end) : synced_;
  return {};
}

void LogWriter::give_up() {
  if (active_ == nullptr) {
    return;
  }
  // Not even its first group: nobody knows of it. Should its name come back after a power loss, the
  // next segment's header tells that it does not count.
  if (settled_ == 0) {
    if (!files_.remove(active_->path).ok()) {
      log_warning("file channel", "cannot remove {}", active_->path.string());
    }
  } else {
    previous_generation_ = active_->generation;
    previous_end_ = settled_;
  }
  active_.reset();
}

Result<> LogWriter::open_segment(std::uint64_t bytes) {
  auto segment = std::make_shared<Segment>();
  segment->file = TRY(open_file(bytes, segment->path));
  segment->order = next_order_++;
  segment->generation = random_generation();
  segment->key = options_.keys != nullptr ? options_.keys->make() : nullptr;
  if (segment->key != nullptr) {
    sealer_.enter(*segment->key);
  }
  segment->end = kFirstRecord;
  active_ = std::move(segment);
  active_bytes_ = bytes;
  position_ = 0;
  settled_ = 0;
  synced_ = 0;
  return {};
}

// A spare, whose blocks were written before, or a new file with blocks of its own.
Result<std::shared_ptr<File>> LogWriter::open_file(std::uint64_t bytes,
                                                   std::filesystem::path& path) {
  if (std::optional<Spare> spare = take_spare()) {
    Result<std::unique_ptr<File>> file = files_.open(spare->path, OpenMode::kReadWrite);
    if (file.ok()) {
      const Result<std::uint64_t> size = (*file)->size();
      if (size.ok() && (*size >= bytes || (*file)->allocate(bytes).ok())) {
        path = spare->path;
        return std::shared_ptr<File>(std::move(file).value());
      }
    }
    add_spare(std::move(*spare));
  }
  // A segment in a folder that was emptied or put in its place would not be found at the next
  // start.
  if (!files_.exists(meta_path(options_.dir))) {
    return transient(meta_path(options_.dir).string() +
                     " is gone: the folder was moved, emptied or unmounted while it was in use");
  }
  const std::uint64_t free = TRY(files_.free_space(options_.dir));
  if (free < options_.minimum_free + bytes) {
    return transient(options_.dir.string() + " has " + std::to_string(free) +
                     " bytes free; minimumRequiredSpace keeps " +
                     std::to_string(options_.minimum_free) + " and a segment takes " +
                     std::to_string(bytes));
  }
  path = segment_path(options_.dir, next_slot_++);
  std::shared_ptr<File> file = TRY(files_.open(path, OpenMode::kTruncate));
  Result<> made = file->allocate(bytes);
  if (made.ok()) {
    made = files_.sync_directory(options_.dir);
  }
  if (!made.ok()) {
    if (!files_.remove(path).ok()) {
      log_warning("file channel", "cannot remove {}", path.string());
    }
    return std::move(made).error();
  }
  return file;
}

std::optional<Spare> LogWriter::take_spare() {
  const std::lock_guard lock(mutex_);
  if (spares_.empty()) {
    return std::nullopt;
  }
  Spare spare = std::move(spares_.back());
  spares_.pop_back();
  return spare;
}

void LogWriter::add_spare(Spare spare) {
  {
    const std::lock_guard lock(mutex_);
    if (spares_.size() < kMostSpares) {
      spares_.push_back(std::move(spare));
      return;
    }
  }
  if (const Result<> removed = files_.remove(spare.path); !removed.ok()) {
    log_warning("file channel", "{}", removed.error().message());
  }
}

void LogWriter::give_back_spares() {
  const Result<std::uint64_t> free = files_.free_space(options_.dir);
  if (!free.ok() || *free >= options_.minimum_free) {
    return;
  }
  while (const std::optional<Spare> spare = take_spare()) {
    if (const Result<> removed = files_.remove(spare->path); !removed.ok()) {
      log_warning("file channel", "{}", removed.error().message());
      return;
    }
  }
}

}  // namespace millrace::file_channel
