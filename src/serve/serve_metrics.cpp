#include "serve/serve_metrics.h"

#include <vector>

#include "core/proc.h"

namespace nowhere {
namespace {

const std::vector<double>& second_limits() {
  static const std::vector<double> limits = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                             0.25,  0.5,    1,     2.5,  5,     10,   30};
  return limits;
}

}  // namespace

void ServeMetrics::request(const std::string& route, int status, double seconds) {
  metrics_.add("nowhere_http_requests_total", "Requests answered", 1,
               {{"route", route}, {"code", std::to_string(status)}});
  metrics_.observe("nowhere_http_request_seconds", "From a request to its response", seconds, second_limits(),
                   {{"route", route}});
}

void ServeMetrics::batch(size_t pictures, double seconds) {
  static const std::vector<double> sizes = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  metrics_.observe("nowhere_batch_pictures", "Pictures made together", static_cast<double>(pictures), sizes);
  metrics_.observe("nowhere_generation_seconds", "Generating a batch", seconds, second_limits());
}

void ServeMetrics::encoding(std::string_view format, double seconds) {
  metrics_.observe("nowhere_encoding_seconds", "Encoding a picture, a sheet or an animation", seconds,
                   second_limits(), {{"format", std::string(format)}});
}

void ServeMetrics::cache(bool hit) {
  const char* name = hit ? "nowhere_cache_hits_total" : "nowhere_cache_misses_total";
  metrics_.add(name, hit ? "Pictures found in the cache" : "Pictures not found in the cache", 1);
}

void ServeMetrics::refused() {
  metrics_.add("nowhere_queue_refusals_total", "Requests refused because the queue was full", 1);
}

std::string ServeMetrics::text(const Gauges& gauges) {
  metrics_.set("nowhere_queue_pictures", "Pictures in progress", static_cast<double>(gauges.queue));
  metrics_.set("nowhere_cache_bytes", "Bytes in the cache of pictures",
               static_cast<double>(gauges.cache_bytes));
  metrics_.set("nowhere_connections", "Open connections", static_cast<double>(gauges.connections));
  metrics_.set("nowhere_ready", "Whether a model is loaded", gauges.ready ? 1 : 0);
  metrics_.set("nowhere_memory_bytes", "Resident memory", static_cast<double>(process_memory().resident));
  return metrics_.text();
}

}  // namespace nowhere
