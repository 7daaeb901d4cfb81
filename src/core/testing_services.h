// The services that components are made with in tests: a clock that stands still, files in memory.
#pragma once

#include "core/component.h"
#include "core/testing.h"
#include "io/event_loop.h"
#include "io/fake_file_system.h"

namespace millrace::testing_kit {

struct TestServices {
  FakeClock clock;
  FakeFileSystem files{1, &clock};
  Slabs slabs;
  MetricsRegistry metrics;
  EventLoop loop{"test loop"};
  Services services{clock, files, slabs.pool(), metrics, loop};
};

}  // namespace millrace::testing_kit
