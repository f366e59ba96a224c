#include "observe/metrics_server.h"

namespace nowhere {
namespace {

ServerConfig config_of(const std::string& host, uint16_t port, const std::string& host_option,
                       const std::string& port_option) {
  // Few collect, and training needs the cores: one thread.
  return {.host = host,
          .port = port,
          .threads = 1,
          .max_connections = 16,
          .max_connections_per_address = 0,
          .body_limit = 1024,
          .drain_deadline = std::chrono::seconds(1),
          .host_option = host_option,
          .port_option = port_option};
}

}  // namespace

MetricsServer::MetricsServer(const Metrics& metrics, const std::string& host, uint16_t port,
                             const std::string& host_option, const std::string& port_option)
    : server_(config_of(host, port, host_option, port_option),
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
