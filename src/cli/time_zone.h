// -Duser.timezone=ID: the time zone of the process, by the names that Java gives them.
#pragma once

#include "base/result.h"
#include "cli/java_flags.h"

namespace millrace {

// Makes the zone that user.timezone names, if it does, that of all local times of this process: of
// syslog messages that name none, of ${date:…}, of files named by the time, of the log. Commands of
// exec sources inherit it as TZ. Before other threads run, and before the first line of the log.
Result<> use_time_zone(const JavaFlags& java);

}  // namespace millrace
