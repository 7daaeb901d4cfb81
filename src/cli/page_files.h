// Pages that a command makes, as files of a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace millrace {

// Makes the folder where it is not there; files of other names stay.
Result<> write_pages(const std::filesystem::path& folder,
                     const std::map<std::string, std::string>& text_of_file);

}  // namespace millrace
