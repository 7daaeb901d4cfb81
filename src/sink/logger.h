// logger: writes events to our log, for looking at a flow.
#pragma once

#include <string>

#include "config/fields.h"
#include "core/component.h"
#include "core/sink.h"

namespace millrace {

struct LoggerConfig {
  std::uint32_t max_bytes_to_log = 16;

  static constexpr auto fields() {
    using C = LoggerConfig;
    return std::tuple{
        field("maxBytesToLog", &C::max_bytes_to_log, "Bytes of a body that are shown.")
            .range(0, 1'048'576)
            .lenient()};
  }
};

// "{ headers:{k=v} body: 68 65 6C 6C 6F   hello }" with `max_bytes` of the body as Flume's logger
// sink shows them: 16 a line in upper-case hex, then the printable ones; lines behind the first
// begin with their offset. Control characters in headers become '.', so that no header forges a
// line.
std::string describe_event(const EventRef& event, std::size_t max_bytes);

// Threads: its runner's alone.
class LoggerSink final : public Sink {
 public:
  using Config = LoggerConfig;
  LoggerSink(Config config, SinkContext context);

  Result<> deliver(const EventBatch& batch, Rejects& rejects) override;
  Result<> flush() override { return {}; }
  std::size_t batch_size() const override { return 100; }

 private:
  const Config config_;
  const std::string name_;
};

}  // namespace millrace
