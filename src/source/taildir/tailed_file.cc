#include "source/taildir/tailed_file.h"

#include <algorithm>
#include <utility>

namespace millrace {

TailedFile::TailedFile(FileId id, std::size_t group, TailEntry entry)
    : id_(id),
      group_(group),
      path_(std::move(entry.path)),
      position_(entry.position),
      committed_(entry.position),
      head_(entry.head) {}

void TailedFile::rename(std::string path, std::size_t group) {
  path_ = std::move(path);
  group_ = group;
}

Result<> TailedFile::open(FileSystem& files, const std::filesystem::path& place) {
  std::unique_ptr<File> file = TRY(files.open(place, OpenMode::kRead));
  const FileStatus status = TRY(file->status());
  if (status.id != id_) {
    return closed(place.string() + " is another file by now");
  }
  file_ = std::move(file);
  return {};
}

Result<std::uint64_t> TailedFile::look() {
  const FileStatus status = TRY(file_->status());
  note(status);
  if (!TRY(is_as_known())) {
    begin_anew();
  }
  return status.size;
}

Result<bool> TailedFile::is_as_known() const {
  const FileStatus status = TRY(file_->status());
  const std::string first = TRY(first_bytes(head_.size));
  return status.size >= position_ && head_.begins(first);
}

Result<> TailedFile::learn_head() {
  const std::uint64_t read = position_ == 0 ? size_ : position_;
  const std::uint64_t known = std::min<std::uint64_t>(FileHead::kMost, read);
  if (head_.size < known) {
    const std::string first = TRY(first_bytes(known));
    if (head_.begins(first)) {  // Emptied since the look: the next one has to see it.
      is_new_ = is_new_ || head_.size == 0;
      head_ = FileHead::of(first);
    }
  }
  return {};
}

Result<std::string> TailedFile::first_bytes(std::uint64_t count) const {
  std::string bytes(count, '\0');
  bytes.resize(TRY(file_->read_at({bytes.data(), bytes.size()}, 0)));
  return bytes;
}

void TailedFile::begin_anew() {
  position_ = 0;
  searched_ = 0;
  committed_ = 0;
  head_ = {};
  ++restarts_;
}

void TailedFile::commit(std::uint32_t restarts, std::uint64_t offset) {
  if (restarts == restarts_) {
    committed_ = offset;
  }
}

void TailedFile::rewind() {
  position_ = committed_;
  searched_ = 0;
}

bool TailedFile::note(const FileStatus& status) {
  const bool is_new = status.size != size_ || status.modified != modified_;
  size_ = status.size;
  modified_ = status.modified;
  return is_new;
}

}  // namespace millrace
