// One header of a fixed value (Flume 1.11, org.apache.flume.interceptor.StaticInterceptor).
#include "core/registry.h"

namespace millrace {

struct StaticInterceptorConfig {
  std::string key = "key";
  std::string value = "value";
  bool preserve_existing = true;

  static constexpr auto fields() {
    using C = StaticInterceptorConfig;
    return std::tuple{
        field("key", &C::key, "Name of the header."),
        field("value", &C::value, "Its value."),
        field("preserveExisting", &C::preserve_existing, "Leave a header of that name as it is."),
    };
  }
};

class StaticInterceptor final : public Interceptor {
 public:
  using Config = StaticInterceptorConfig;
  StaticInterceptor(Config config, const InterceptorContext&) : config_(std::move(config)) {}

  void apply(EventBatch::Builder& batch) override {
    batch.edit_headers([this](HeaderEditor& headers) {
      if (!config_.preserve_existing || !headers.find(config_.key)) {
        headers.set(config_.key, config_.value);
      }
    });
  }

 private:
  const Config config_;
};

const RegisterInterceptor<StaticInterceptor> static_entry{
    "static", "org.apache.flume.interceptor.StaticInterceptor",
    "Adds one header of a fixed value."};

}  // namespace millrace
