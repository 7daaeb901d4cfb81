// What a command says on its error output: taken in, and logged when that is asked for.
#pragma once

#include <string>
#include <string_view>

#include "io/child_process.h"

namespace millrace {

// Threads: its source's.
class ErrorOutput {
 public:
  ErrorOutput(std::string component, bool log) : component_(std::move(component)), log_(log) {}

  // Takes in what is there: the command would stop when nobody read it. At its end it is closed.
  void read(ChildProcess& child);

 private:
  void add(std::string_view bytes);

  const std::string component_;  // For the log.
  const bool log_;
  std::string line_;  // That has no end yet.
};

}  // namespace millrace
