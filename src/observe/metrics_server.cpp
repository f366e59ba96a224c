#include "observe/metrics_server.h"

namespace nowhere {
namespace {

ServerConfig config_of(const std::string& host, uint16_t port) {
  // One thread: there are few requests, and training needs the cores.
  return {.host = host,
          .port = port,
          .threads = 1,
          .max_connections = 16,
          .max_connections_per_address = 0,
          .body_limit = 1024,
          .drain_deadline = std::chrono::seconds(1),
          .host_option = "--metrics-host",
          .port_option = "--metrics-port"};
}

}  // namespace

MetricsServer::MetricsServer(const Metrics& metrics, const std::string& host, uint16_t port)
    : server_(config_of(host, port),
              [&metrics](const HttpRequest& request) { return answer_metrics(metrics, request); }) {}

HttpResponse answer_metrics(const Metrics& metrics, const HttpRequest& request) {
  const bool collects = request.path == "/metrics";
  if (!collects && request.path != "/livez") return error_response(404, "not found");
  if (!request.only_reads()) return method_not_allowed("GET, HEAD");
  HttpResponse response{.headers = {{"Cache-Control", "no-store"}},
                        .body = collects ? metrics.text() : std::string("ok\n")};
  if (collects) response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  return response;
}

}  // namespace nowhere
