#include "web/monitoring.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "io/tcp_limits.h"
#include "web/flume_json.h"
#include "web/json_text.h"
#include "web/prometheus_text.h"

namespace millrace {
namespace {

constexpr const char* kJson = "application/json;charset=utf-8";
constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kPrometheus = "text/plain; version=0.0.4; charset=utf-8";

bool same_path(const std::string& path, const char* wanted) {
  return strcasecmp(path.c_str(), wanted) == 0;
}

// Scrapers of Prometheus name its formats; browsers and Flume's collectors do not.
bool wants_json(const std::string& accept, bool flume_json) {
  const auto names = [&](const char* type) { return accept.find(type) != std::string::npos; };
  if (names("application/json")) {
    return true;
  }
  return flume_json && !names("text/plain") && !names("openmetrics");
}

HttpResponse metrics_page(const HttpRequest& request, const MonitoringInputs& inputs,
                          bool as_flume) {
  if (wants_json(request.header("accept"), as_flume)) {
    return {.content_type = kJson, .body = flume_json(inputs.metrics)};
  }
  return {.content_type = kPrometheus, .body = prometheus_text(inputs.metrics)};
}

// What the kernel did to our connections: plain syslog cannot repeat what was thrown away.
std::string tcp_json() {
  const TcpCounters& tcp = tcp_counters();
  const auto aborts = tcp_aborts_on_memory();
  return fmt::format(
      R"({{"open_connections":{},"resets":{},"accept_failures":{},"tls_failures":{},)"
      R"("host_aborts_on_memory":{}}})",
      tcp.open.value(), tcp.resets.value(), tcp.accept_failures.value(), tcp.tls_failures.value(),
      aborts ? std::to_string(*aborts) : "null");
}

// A sink that fails costs nothing while another one of its group works.
bool stands_alone(const HealthLine& part, const std::vector<HealthLine>& all) {
  return part.group.empty() || std::none_of(all.begin(), all.end(), [&](const HealthLine& other) {
           return other.ok && other.group == part.group;
         });
}

HttpResponse health_page(const MonitoringInputs& inputs) {
  const std::vector<HealthLine> lines = inputs.health();
  const bool ok = std::all_of(lines.begin(), lines.end(), [&](const HealthLine& line) {
    return line.ok || !stands_alone(line, lines);
  });
  std::string parts;
  for (const HealthLine& line : lines) {
    const std::string group =
        line.group.empty() ? "" : fmt::format(R"(,"group":{})", json_string(line.group));
    parts += fmt::format(R"({}{{"name":{},"ok":{},"message":{}{}}})", parts.empty() ? "" : ",",
                         json_string(line.name), line.ok, json_string(line.message), group);
  }
  return {.status = ok ? 200U : 503U,
          .content_type = kJson,
          .body = fmt::format("{{\"ok\":{},\"parts\":[{}],\"tcp\":{}}}\n", ok, parts, tcp_json())};
}

HttpResponse ready_page(const MonitoringInputs& inputs) {
  const bool ready = inputs.ready();
  return {.status = ready ? 200U : 503U,
          .content_type = kJson,
          .body = fmt::format("{{\"ready\":{}}}\n", ready)};
}

HttpResponse front_page() {
  return {.content_type = kHtml,
          .body =
              "<!DOCTYPE html><html lang=\"en\"><head><title>Millrace</title></head><body>"
              "For metrics please click <a href=\"./metrics\">here</a>; there are "
              "<a href=\"./health\">health</a> and <a href=\"./ready\">readiness</a> too."
              "</body></html>\n"};
}

}  // namespace

HttpResponse monitoring_page(const HttpRequest& request, const MonitoringInputs& inputs,
                             bool flume_json) {
  if (request.method == "TRACE" || request.method == "OPTIONS") {
    return {.status = 403, .body = "Forbidden.\n"};
  }
  if (request.path == "/") {
    return front_page();
  }
  if (same_path(request.path, "/metrics")) {
    return metrics_page(request, inputs, flume_json);
  }
  if (same_path(request.path, "/health")) {
    return health_page(inputs);
  }
  if (same_path(request.path, "/ready")) {
    return ready_page(inputs);
  }
  return {.status = 404, .body = "Not found: there are /metrics, /health and /ready.\n"};
}

Result<std::unique_ptr<Monitoring>> Monitoring::start(EventLoop& loop,
                                                      const MonitoringSettings& settings,
                                                      MonitoringInputs inputs) {
  HttpServerOptions options;
  options.component = "monitoring";
  options.host = settings.host;
  options.port = settings.port;
  auto server = TRY(HttpServer::listen(
      loop, std::move(options),
      [inputs = std::move(inputs), json = settings.flume_json](const HttpRequest& request) {
        return monitoring_page(request, inputs, json);
      }));
  log_info("monitoring", "http://{}:{}/ shows metrics, health and readiness", settings.host,
           server->port());
  return std::unique_ptr<Monitoring>(new Monitoring(std::move(server)));
}

}  // namespace millrace
