// The contract of an interceptor: changes a batch while it is being built.
#pragma once

#include "core/event_batch.h"

namespace millrace {

// Threads: the source's thread alone.
class Interceptor {
 public:
  virtual ~Interceptor() = default;
  virtual void apply(EventBatch::Builder& batch) = 0;
};

}  // namespace millrace
