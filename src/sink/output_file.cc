#include "sink/output_file.h"

#include <cerrno>
#include <utility>

#include "base/checksum.h"

namespace millrace {
namespace {

// Written at once when so much waits; enough for a large write, little enough for the cache.
constexpr std::size_t kWriteBytes = std::size_t{256} << 10;

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(FileSystem& files,
                                                       std::filesystem::path path,
                                                       std::unique_ptr<EventSerializer> serializer,
                                                       OutputSync sync) {
  std::unique_ptr<File> file = TRY(files.open(path, OpenMode::kCreate));
  std::unique_ptr<OutputFile> made(
      new OutputFile(files, std::move(path), std::move(file), std::move(serializer), sync));
  Result<> begun = made->serializer_->begin(made->out_);
  if (begun.ok()) {
    begun = made->write_out();
  }
  if (!begun.ok()) {
    (void)files.remove(made->path_);  // Else each attempt on a full disk would leave an empty one.
    return std::move(begun).error();
  }
  made->start_ = made->written_;
  made->committed_ = made->written_;
  made->committed_crc_ = made->crc_;
  made->cut_needed_ = false;
  return made;
}

OutputFile::OutputFile(FileSystem& files, std::filesystem::path path, std::unique_ptr<File> file,
                       std::unique_ptr<EventSerializer> serializer, OutputSync sync)
    : files_(files),
      path_(std::move(path)),
      file_(std::move(file)),
      serializer_(std::move(serializer)),
      sync_(sync) {}

Result<> OutputFile::append(const EventBatch& batch) {
  TRY(serializer_->append(batch, out_));
  return out_.size() >= kWriteBytes ? write_out() : Result<>();
}

Result<> OutputFile::commit() {
  TRY(serializer_->flush(out_));
  TRY(write_out());
  if (sync_ == OutputSync::kDurable && (written_ > committed_ || cut_unsynced_)) {
    TRY(make_durable());
  }
  if (written_ > committed_ && !has_name()) {
    name_lost_ = true;
    return transient(path_.string() + " was moved or removed while it was written");
  }
  committed_ = written_;
  committed_crc_ = crc_;
  cut_needed_ = false;
  return {};
}

bool OutputFile::roll_back() {
  serializer_->drop_open();
  out_.clear();
  crc_ = committed_crc_;
  if (cut_needed_) {
    if (!file_->truncate(committed_).ok()) {
      return false;
    }
    written_ = committed_;
    cut_needed_ = false;
    cut_unsynced_ = true;
  }
  if (sync_failed_) {
    (void)file_->sync_data();  // So that the cut lasts, if it can.
  }
  return !sync_failed_ && !name_lost_;
}

Result<> OutputFile::finish() {
  TRY(serializer_->end(out_));
  return commit();
}

Result<> OutputFile::write_out() {
  if (!out_.empty()) {
    cut_needed_ = true;  // A write that fails may have written a part.
    Result<> written = file_->write_at(out_, written_);
    is_full_ = !written.ok() && written.error().error_number() == EFBIG;
    TRY(std::move(written));
    written_ += out_.size();
    crc_ = crc32c(out_, crc_);
    out_.clear();
  }
  return {};
}

Result<> OutputFile::make_durable() {
  Result<> synced = file_->sync_data();
  if (!synced.ok()) {
    sync_failed_ = true;
    return synced;
  }
  cut_unsynced_ = false;
  if (!name_is_durable_) {
    TRY(files_.sync_directory(path_.parent_path()));
    name_is_durable_ = true;
  }
  return {};
}

}  // namespace millrace
