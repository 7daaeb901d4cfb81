#include "sink/hdfs/bucket_file.h"

#include <utility>

#include "base/checksum.h"

namespace millrace {

// No path has a NUL in it.
std::string ledger_entry(const FileNames& names) {
  std::string entry = names.temporary + '\0' + names.published;
  return names.is_by_intent ? entry + '\0' : entry;
}

FileNames names_of_entry(const std::string& entry) {
  FileNames names{entry, entry};
  const std::size_t end = entry.find('\0');
  if (end != std::string::npos) {
    names = {entry.substr(0, end), entry.substr(end + 1)};
  }
  if (names.published.ends_with('\0')) {
    names.published.pop_back();
    names.is_by_intent = true;
  }
  return names;
}

BucketFile::BucketFile(FileNames names, std::unique_ptr<dfs::OutputStream> stream,
                       std::unique_ptr<EventSerializer> serializer, SteadyTime opened_at)
    : names_(std::move(names)),
      stream_(std::move(stream)),
      serializer_(std::move(serializer)),
      opened_at_(opened_at) {}

Result<> BucketFile::begin(std::string& space) {
  space.clear();
  is_clean_ = false;
  TRY(serializer_->begin(space));
  TRY(write(space));
  commit();  // Whatever becomes of the transaction, the next events may follow.
  return {};
}

Result<> BucketFile::append(const EventBatch& batch, std::string& space) {
  space.clear();
  is_clean_ = false;
  TRY(serializer_->append(batch, space));
  written_.events += batch.size();
  for (const EventRef& event : batch) {
    body_bytes_ += event.body_size;
  }
  return write(space);
}

Result<> BucketFile::start_flush(dfs::Durability durability, std::string& space) {
  space.clear();
  TRY(serializer_->flush(space));
  TRY(write(space));
  return stream_->start_flush(durability).with(names_.temporary);
}

Result<> BucketFile::finish_flush() {
  return stream_->finish_flush().with(names_.temporary);
}

Result<> BucketFile::end(std::string& space) {
  space.clear();
  TRY(serializer_->flush(space));
  TRY(serializer_->end(space));
  return write(space);
}

bool BucketFile::close() {
  return stream_->close().ok();
}

void BucketFile::abandon() {
  stream_->abandon();
}

Result<> BucketFile::write(std::string& space) {
  if (space.empty()) {
    return {};
  }
  TRY(stream_->write(space).with(names_.temporary));
  written_.length += space.size();
  written_.crc = crc32c(space, written_.crc);
  return {};
}

}  // namespace millrace
