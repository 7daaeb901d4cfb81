// The names that Java gives time zones, as the variable TZ has them.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "io/file_system.h"

namespace millrace {

// Where the files of the time zones are: TZDIR, else /usr/share/zoneinfo.
std::filesystem::path time_zone_folder();

// What the variable TZ has to say for `id`: a region of the time zone files in `folder`, one of
// Java's short names, or GMT with an offset, which POSIX counts the other way round. kConfig when
// there is none of that name, where Java would go on with GMT.
Result<std::string> time_zone_rule(FileSystem& files, const std::filesystem::path& folder,
                                   const std::string& id);

}  // namespace millrace
