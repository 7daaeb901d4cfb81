// What a component is given when it is made. All that is borrowed here belongs to the agent and
// outlives every component.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "core/slab.h"
#include "io/file_system.h"

namespace millrace {

class ChannelProcessor;
class EventLoop;
class MemoryWait;

struct Services {
  Clock& clock;
  FileSystem& files;
  SlabPool& slabs;
  MetricsRegistry& metrics;
  EventLoop& loop;  // For network sources; shared by all that are given the same one.
};

struct SourceContext {
  std::string name;
  Services& services;
  ChannelProcessor& channels;
  MetricGroup& metrics;
  MemoryWait& memory;  // Given to the space that its events lie in.
};

struct ChannelContext {
  std::string name;
  Services& services;
  MetricGroup& metrics;
  std::size_t memory_share;  // Bytes of the process's budget that its events may pin.
};

struct SinkContext {
  std::string name;
  Services& services;
  MetricGroup& metrics;
  bool channel_is_durable;  // Then what flush() reports must be durable too.
};

struct InterceptorContext {
  std::string name;
  Services& services;
};

struct SelectorContext {
  std::vector<std::string> channels;  // Names, in the source's order: what a Route's index means.
};

struct SinkProcessorContext {
  std::vector<std::string> sinks;  // Names, in the group's order: what a sink's index means.
};

struct SerializerContext {
  Services& services;
};

}  // namespace millrace
