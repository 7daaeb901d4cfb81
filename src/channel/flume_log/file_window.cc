#include "channel/flume_log/file_window.h"

#include <algorithm>

namespace millrace::flume_log {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{256} << 10;

}  // namespace

Result<FileWindow> FileWindow::open(FileSystem& files, const std::filesystem::path& path) {
  std::unique_ptr<File> file = TRY(files.open(path, OpenMode::kRead));
  const std::uint64_t size = TRY(file->size());
  return FileWindow(std::move(file), size);
}

Result<std::string_view> FileWindow::view(std::uint64_t at, std::uint64_t count) {
  if (at >= size_) {
    return std::string_view();
  }
  const auto wanted = static_cast<std::size_t>(std::min(count, size_ - at));
  if (at < begin_ || at + wanted > begin_ + filled_) {
    const auto space = static_cast<std::size_t>(
        std::min<std::uint64_t>(std::max(wanted, kWindowBytes), size_ - at));
    filled_ = 0;
    buffer_.resize(std::max(buffer_.size(), space));
    filled_ = TRY(file_->read_at({buffer_.data(), space}, at));
    begin_ = at;
  }
  const auto from = static_cast<std::size_t>(at - begin_);
  return std::string_view(buffer_.data() + from, std::min(wanted, filled_ - from));
}

}  // namespace millrace::flume_log
