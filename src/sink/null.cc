#include "sink/null.h"

#include "base/log.h"
#include "core/registry.h"

namespace millrace {

NullSink::NullSink(Config config, SinkContext context)
    : config_(config),
      name_("sink " + std::move(context.name)),
      log_at_(config.log_every_n_events) {}

Result<> NullSink::deliver(const EventBatch& batch, Rejects&) {
  events_ += batch.size();
  return {};
}

// One line however many times the step was passed: a fast flow would fill the log.
Result<> NullSink::flush() {
  if (events_ >= log_at_) {
    log_info(name_, "{} events taken", events_);
    log_at_ = events_ - events_ % config_.log_every_n_events + config_.log_every_n_events;
  }
  return {};
}

const RegisterSink<NullSink> entry{"null", "org.apache.flume.sink.NullSink",
                                   "Takes events and drops them."};

}  // namespace millrace
