#include "io/file_writer.h"

#include <algorithm>
#include <utility>

namespace millrace {

FileWriter::FileWriter(std::unique_ptr<File> file, std::uint64_t position)
    : file_(std::move(file)), written_(position) {
  buffer_.reserve(kBufferBytes);
}

Result<> FileWriter::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() <= kBufferBytes) [[likely]] {
    buffer_.append(bytes);
    return {};
  }
  TRY(flush());
  if (bytes.size() <= kBufferBytes) {
    buffer_.append(bytes);
    return {};
  }
  TRY(file_->write_at(bytes, written_));
  written_ += bytes.size();
  synced_ = false;
  return {};
}

Result<> FileWriter::flush() {
  TRY(check_usable());
  if (!buffer_.empty()) {
    synced_ = false;
    TRY(file_->write_at(buffer_, written_));
    written_ += buffer_.size();
    buffer_.clear();
  }
  return {};
}

Result<> FileWriter::sync() {
  TRY(flush());
  if (synced_) {
    return {};
  }
  Result<> synced = file_->sync_data();
  if (!synced.ok()) {
    sync_failure_ = synced.error().message();
    return synced;
  }
  synced_ = true;
  return {};
}

Result<> FileWriter::truncate(std::uint64_t position) {
  TRY(check_usable());
  if (position >= written_) {
    buffer_.resize(std::min<std::uint64_t>(position - written_, buffer_.size()));
    return {};
  }
  buffer_.clear();
  synced_ = false;
  TRY(file_->truncate(position));
  written_ = position;
  return {};
}

Result<> FileWriter::check_usable() const {
  if (!sync_failure_.empty()) {
    return transient("an earlier sync failed: " + sync_failure_);
  }
  return {};
}

}  // namespace millrace
