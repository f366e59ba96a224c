#include "cli/bench_serve.h"

#include <fmt/core.h>

#include "cli/common.h"
#include "cli/open_run.h"
#include "cli/served_model.h"
#include "core/console.h"
#include "core/signals.h"
#include "core/text.h"
#include "serve/run_model_provider.h"
#include "serve/service.h"

namespace nowhere {

ServeBench bench_serve(std::string run, int clients, int threads, double seconds) {
  if (run.empty()) run = shipped_model();
  RunModelProvider models(
      open_run(run),
      [threads](const RunReader& reader, const CheckpointFile& file) {
        return load_served_model(reader, file, threads);
      },
      {.on_error = [](const std::string& what) { print_message("nowhere: " + what + "\n"); }});
  models.open();
  ServeConfig config;
  config.port = 0;
  config.threads = threads;
  config.max_connections = config.connections_per_address = clients + 1;
  Service service(config, models);
  ServeBench bench{.load = bench_server(service.port(), clients, seconds, stop_requested),
                   .clients = clients};
  if (stop_requested()) throw Stopped();
  bench.model = models.current()->facts().file_name;
  bench.picture_size = models.current()->facts().picture_size;
  return bench;
}

boost::json::object ServeBench::to_json(const HourlyPrice& price) const {
  boost::json::object json = throughput_json(load.pictures_per_second(), price);
  json["requests_per_second"] = static_cast<double>(load.requests) / load.seconds;
  json["median_ms"] = load.median_ms;
  json["slowest_percent_ms"] = load.slowest_percent_ms;
  json["clients"] = clients;
  json["size"] = picture_size;
  json["model"] = model;
  return json;
}

std::string ServeBench::text(const HourlyPrice& price) const {
  return fmt::format(
      "{} pictures/s ({:.1f} million/hour) of {} px in fresh sheets of 16, {} asking{}\n"
      "half of the {} within {:.1f} ms, 99 of 100 within {:.1f} ms; model {}\n",
      with_commas(static_cast<int64_t>(load.pictures_per_second())), load.pictures_per_second() * 3600 / 1e6,
      picture_size, counted(clients, "client"), cost_text(load.pictures_per_second(), price),
      counted(load.requests, "sheet"), load.median_ms, load.slowest_percent_ms, printable_text(model));
}

Throughput ServeBench::throughput() const {
  return {"serve", load.pictures_per_second(),
          fmt::format("{} px, sheets of 16, {}", picture_size, counted(clients, "client"))};
}

}  // namespace nowhere
