// Names of the files that file_roll writes (Flume's path managers).
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace millrace {

enum class NameStyle {
  kSeries,    // PREFIX<ms at which the sink was made>-N[.EXTENSION], N from 1.
  kRollTime,  // PREFIXyyyyMMddHHmmss-N[.EXTENSION], local time; N from 1 in each second.
};

// Gives each name once. Threads: one.
class OutputNames {
 public:
  OutputNames(NameStyle style, std::string prefix, const std::string& extension,
              const Clock& clock);
  std::string next();

 private:
  const NameStyle style_;
  const std::string prefix_;
  const std::string extension_;  // With its dot, or empty.
  const Clock& clock_;
  std::string moment_;  // The name's middle.
  std::uint64_t number_ = 0;
};

}  // namespace millrace
