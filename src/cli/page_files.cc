#include "cli/page_files.h"

#include <memory>

#include "io/file_system.h"

namespace millrace {

Result<> write_pages(const std::filesystem::path& folder,
                     const std::map<std::string, std::string>& text_of_file) {
  TRY(real_file_system().create_directories(folder));
  for (const auto& [name, text] : text_of_file) {
    const std::unique_ptr<File> file =
        TRY(real_file_system().open(folder / name, OpenMode::kTruncate));
    TRY(file->write_at(text, 0));
  }
  return {};
}

}  // namespace millrace
