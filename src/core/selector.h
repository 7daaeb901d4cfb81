// The contract of a channel selector: says which channels get which events of a batch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/event_batch.h"

namespace millrace {

// A batch for one channel; `channel` is an index into the source's channels.
struct Route {
  std::size_t channel;
  BatchPtr batch;
  bool required;  // An optional channel that does not take it loses it, counted.
};

struct Routing {
  std::vector<Route> routes;
  std::size_t unrouted = 0;  // Events that no channel gets; counted as such.
};

// Threads: the source's thread alone.
class Selector {
 public:
  virtual ~Selector() = default;
  virtual Routing route(const BatchPtr& batch) = 0;
};

}  // namespace millrace
