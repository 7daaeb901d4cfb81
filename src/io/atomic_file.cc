#include "io/atomic_file.h"

namespace millrace {

Result<> replace_file(FileSystem& files, const std::filesystem::path& path,
                      std::string_view bytes) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  const std::unique_ptr<File> file = TRY(files.open(temporary, OpenMode::kTruncate));
  TRY(file->write_at(bytes, 0));
  TRY(file->sync_data());
  TRY(files.rename(temporary, path));
  return files.sync_directory(path.parent_path());
}

}  // namespace millrace
