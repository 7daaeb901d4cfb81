// The agent's own address or name as a header (Flume 1.11,
// org.apache.flume.interceptor.HostInterceptor).
#include <arpa/inet.h>
#include <netdb.h>
#include <unistd.h>

#include <memory>

#include "base/log.h"
#include "core/registry.h"

namespace millrace {
namespace {

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

std::string own_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// As Java's InetAddress.getLocalHost(): what the host's own name resolves to. Empty when it does
// not.
std::string local_host(bool as_address) {
  const std::string name = own_name();
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_CANONNAME;
  addrinfo* raw = nullptr;
  if (name.empty() || getaddrinfo(name.c_str(), nullptr, &hints, &raw) != 0) {
    return {};
  }
  const AddressList list(raw);
  if (!as_address) {
    return list->ai_canonname != nullptr ? list->ai_canonname : name;
  }
  char text[NI_MAXHOST] = {};
  const int failed =
      getnameinfo(list->ai_addr, list->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  return failed == 0 ? text : "";
}

}  // namespace

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
      : config_(std::move(config)), host_(local_host(config_.use_ip)) {
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
