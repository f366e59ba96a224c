// /metrics, for Prometheus to collect from a run.
#pragma once

#include <cstdint>
#include <string>

#include "net/server.h"
#include "observe/metrics.h"

namespace nowhere {

// GET /metrics is the text of `metrics`, which outlives the server; GET /livez answers while the process does.
class MetricsServer {
 public:
  // Port 0: any that is free. Throws a usage error that names the options when it cannot listen there.
  MetricsServer(const Metrics& metrics, const std::string& host, uint16_t port,
                const std::string& host_option = "--metrics-host",
                const std::string& port_option = "--metrics-port");

  uint16_t port() const { return server_.port(); }

 private:
  HttpServer server_;
};

// What the server answers.
HttpResponse answer_metrics(const Metrics& metrics, const HttpRequest& request);

}  // namespace nowhere
