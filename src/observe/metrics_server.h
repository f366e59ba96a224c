// The /metrics endpoint of a run, for Prometheus.
#pragma once

#include <cstdint>
#include <string>

#include "net/server.h"
#include "observe/metrics.h"

namespace nowhere {

// GET /metrics returns the text of `metrics`, which outlives the server; GET /livez tells that the process is
// alive.
class MetricsServer {
 public:
  // Port 0: any free port. Throws a usage error that names --metrics-host or --metrics-port when it cannot
  // listen there.
  MetricsServer(const Metrics& metrics, const std::string& host, uint16_t port);

  uint16_t port() const { return server_.port(); }

 private:
  HttpServer server_;
};

// The response to a request.
HttpResponse answer_metrics(const Metrics& metrics, const HttpRequest& request);

}  // namespace nowhere
