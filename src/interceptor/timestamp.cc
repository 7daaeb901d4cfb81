// The time of arrival as a header (Flume 1.11, org.apache.flume.interceptor.TimestampInterceptor).
#include "core/registry.h"

namespace millrace {

struct TimestampInterceptorConfig {
  std::string header_name = "timestamp";
  bool preserve_existing = false;

  static constexpr auto fields() {
    using C = TimestampInterceptorConfig;
    return std::tuple{
        field("headerName", &C::header_name, "Name of the header."),
        field("preserveExisting", &C::preserve_existing, "Leave a header of that name as it is."),
    };
  }
};

// Milliseconds since the epoch; events of one batch arrived together and share the reading.
class TimestampInterceptor final : public Interceptor {
 public:
  using Config = TimestampInterceptorConfig;
  TimestampInterceptor(Config config, const InterceptorContext& context)
      : config_(std::move(config)), clock_(context.services.clock) {}

  void apply(EventBatch::Builder& batch) override {
    const std::string now = std::to_string(clock_.wall_ms());
    batch.edit_headers([&](HeaderEditor& headers) {
      if (!config_.preserve_existing || !headers.find(config_.header_name)) {
        headers.set(config_.header_name, now);
      }
    });
  }

 private:
  const Config config_;
  Clock& clock_;
};

const RegisterInterceptor<TimestampInterceptor> timestamp_entry{
    "timestamp", "org.apache.flume.interceptor.TimestampInterceptor",
    "Adds the time of arrival, milliseconds since 1970."};

}  // namespace millrace
