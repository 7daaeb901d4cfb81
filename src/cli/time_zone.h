// -Duser.timezone=ID: the time zone of the process, by the names that Java gives them.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/java_flags.h"
#include "io/file_system.h"

namespace millrace {

// What the variable TZ has to say for `id`: a region of the time zone files in `folder`, one of
// Java's short names, or GMT with an offset, which POSIX counts the other way round. kConfig when
// there is none of that name, where Java would go on with GMT.
Result<std::string> time_zone_rule(FileSystem& files, const std::filesystem::path& folder,
                                   const std::string& id);

// Makes the zone that user.timezone names, if it does, that of all local times of this process: of
// syslog messages that name none, of ${date:…}, of files named by the time, of the log. Commands of
// exec sources inherit it as TZ. Before other threads run, and before the first line of the log.
Result<> use_time_zone(const JavaFlags& java);

}  // namespace millrace
