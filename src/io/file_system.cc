#include "io/file_system.h"

namespace millrace {

Result<> File::write_at(std::string_view bytes, std::uint64_t offset) {
  const iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
  return write_at(std::span(&piece, 1), offset);
}

Result<std::string> read_file(FileSystem& files, const std::filesystem::path& path) {
  const std::unique_ptr<File> file = TRY(files.open(path, OpenMode::kRead));
  // To its end rather than by its size: files of /proc and /sys say that they are empty.
  constexpr std::size_t kStep = 64 * 1024;
  std::string contents;
  for (;;) {
    const std::size_t have = contents.size();
    contents.resize(have + kStep);
    const std::size_t got = TRY(file->read_at({contents.data() + have, kStep}, have));
    contents.resize(have + got);
    if (got == 0) {
      return contents;
    }
  }
}

}  // namespace millrace
