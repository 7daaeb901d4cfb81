// The agent's own address or name as a header (Flume 1.11,
// org.apache.flume.interceptor.HostInterceptor).
#include "base/log.h"
#include "core/registry.h"
#include "io/local_host.h"

namespace millrace {
struct HostInterceptorConfig {
  std::string host_header = "host";
  bool use_ip = true;
  bool preserve_existing = false;

  static constexpr auto fields() {
    using C = HostInterceptorConfig;
    return std::tuple{
        field("hostHeader", &C::host_header, "Name of the header."),
        field("useIP", &C::use_ip, "The address; otherwise the host's canonical name."),
        field("preserveExisting", &C::preserve_existing, "Leave a header of that name as it is."),
    };
  }
};

// Resolved once, when it is made; a host that cannot be resolved gets no header.
class HostInterceptor final : public Interceptor {
 public:
  using Config = HostInterceptorConfig;
  HostInterceptor(Config config, const InterceptorContext& context)
      : config_(std::move(config)), host_(config_.use_ip ? host_address() : canonical_host_name()) {
    if (host_.empty()) {
      log_warning("interceptor " + context.name,
                  "this host's name does not resolve: header {} is not set", config_.host_header);
    }
  }

  void apply(EventBatch::Builder& batch) override {
    if (host_.empty()) {
      return;
    }
    batch.edit_headers([this](HeaderEditor& headers) {
      if (!config_.preserve_existing || !headers.find(config_.host_header)) {
        headers.set(config_.host_header, host_);
      }
    });
  }

 private:
  const Config config_;
  const std::string host_;
};

const RegisterInterceptor<HostInterceptor> host_entry{
    "host", "org.apache.flume.interceptor.HostInterceptor", "Adds this host's address or name."};

}  // namespace millrace
