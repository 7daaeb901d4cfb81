// The contract of a source: makes batches and hands them to its channel processor.
#pragma once

#include "base/clock.h"
#include "base/result.h"

namespace millrace {

// Threads: start() and stop() on the control thread; what they do is the source's own matter.
class Source {
 public:
  virtual ~Source() = default;

  // Begins to collect. kTransient (a port in use) is tried again every 3 s; kConfig is not.
  virtual Result<> start() = 0;
  // Stops accepting, reads what its sockets hold until `deadline`, hands it to the channels, waits
  // for their answers, and ends its threads. Idempotent; the source may be started again.
  virtual void stop(SteadyTime deadline) = 0;
  // Whether it collects, as far as it knows. Threads: any.
  virtual Result<> health() const { return {}; }
};

}  // namespace millrace
