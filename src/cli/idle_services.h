// What components are made with where no agent runs.
#pragma once

#include <cstddef>

#include "base/byte_budget.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "core/component.h"
#include "core/slab.h"
#include "io/event_loop.h"
#include "io/file_system.h"

namespace millrace {

// Outlives what is made with it.
struct IdleServices {
  explicit IdleServices(std::size_t budget_bytes) : budget(budget_bytes) {}

  SystemClock clock;
  ByteBudget budget;
  SlabPool slabs{budget};
  MetricsRegistry metrics;
  EventLoop loop{"idle"};
  Services services{clock, real_file_system(), slabs, metrics, loop};
};

}  // namespace millrace
