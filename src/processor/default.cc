// The processor of a group of one sink: Flume's DefaultSinkProcessor.
#include "core/registry.h"
#include "core/sink_processor.h"
#include "processor/group_keys.h"

namespace millrace {
namespace {

struct DefaultProcessorConfig : GroupKeys {
  void check(ConfigCheck& check) const {
    if (sinks.size() > 1) {
      check.fault("sinks",
                  "the default processor runs one sink: several need processor.type failover or "
                  "load_balance");
    }
  }
};

class GroupOfOne final : public DefaultSinkProcessor {
 public:
  using Config = DefaultProcessorConfig;
  GroupOfOne(const Config&, const SinkProcessorContext& context)
      : DefaultSinkProcessor(context.sinks.front()) {}
};

const RegisterSinkProcessor<GroupOfOne> entry{"default",
                                              "org.apache.flume.sink.DefaultSinkProcessor",
                                              "Runs one sink, as it would run without a group."};

}  // namespace
}  // namespace millrace
