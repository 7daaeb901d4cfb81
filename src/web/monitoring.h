// The pages by which an agent is watched: /metrics, /health, /ready.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "base/result.h"
#include "io/http_server.h"

namespace millrace {

// How one part is.
struct HealthLine {
  std::string name;  // "source r1"
  bool ok = true;
  std::string message{};
  std::string group{};  // Of a sink whose events others of its group deliver too.
};

// What is shown. The functions are called on the server's loop and must not block.
struct MonitoringInputs {
  const MetricsRegistry& metrics;
  std::function<std::vector<HealthLine>()> health;
  std::function<bool()> ready;  // Every part runs.
};

struct MonitoringSettings {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  // /metrics is Flume's JSON unless the client asks for Prometheus' text by name. Otherwise it is
  // the text unless the client accepts application/json.
  bool flume_json = false;
};

// The response to one request:
//   /metrics       Flume's JSON or Prometheus' text; the path in any case, as in Flume
//   /health        JSON; 503 when a part is not well, unless another sink of its group is
//   /ready         JSON; 503 until every part runs
//   /              a page that points to these
//   anything else  404; methods TRACE and OPTIONS 403
HttpResponse monitoring_page(const HttpRequest& request, const MonitoringInputs& inputs,
                             bool flume_json);

// Serves these pages as long as it lives. Threads: start() and the destructor on the control
// thread; what `inputs` refers to outlives it.
class Monitoring {
 public:
  static Result<std::unique_ptr<Monitoring>> start(EventLoop& loop,
                                                   const MonitoringSettings& settings,
                                                   MonitoringInputs inputs);
  std::uint16_t port() const { return server_->port(); }

 private:
  explicit Monitoring(std::unique_ptr<HttpServer> server) : server_(std::move(server)) {}
  std::unique_ptr<HttpServer> server_;
};

}  // namespace millrace
