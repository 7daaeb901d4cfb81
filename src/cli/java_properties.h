// Which -Dname=value act in this program, and what is said of the others.
#pragma once

#include <set>
#include <string>

#include "base/log.h"
#include "cli/java_flags.h"
#include "config/diagnostics.h"

namespace millrace {

// A warning for each property that neither the program reads nor a value of the files refers to as
// ${sys:name}: `referenced` as Interpolated has it. Values are not shown: they may be passwords.
void report_idle_properties(const JavaFlags& java,
                            const std::set<std::string, std::less<>>& referenced,
                            Diagnostics& diagnostics);

// What -Dflume.root.logger=LEVEL,APPENDER... asks for, in the words of log4j.
struct RootLogger {
  LogLevel level = LogLevel::kInfo;
  std::string note{};  // What of it has no effect; empty: nothing.
};
RootLogger root_logger(const JavaFlags& java);

}  // namespace millrace
