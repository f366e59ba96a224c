#include "serve/service.h"

#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "core/console.h"
#include "core/cpu.h"
#include "net/server.h"
#include "serve/access_control.h"
#include "serve/access_log.h"
#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// Internal errors are for whoever runs the server, on stderr.
void log_error(const std::string& what) {
  print_message(fmt::format("nowhere: {}\n", what));
}

BatcherConfig batcher_config(const ServeConfig& config, ServeMetrics& metrics) {
  return {.max_batch = static_cast<size_t>(config.max_batch),
          .max_delay = std::chrono::microseconds(static_cast<int64_t>(config.batch_delay_ms * 1000)),
          .queue = static_cast<size_t>(config.queue),
          .on_batch = [&metrics](size_t pictures, double seconds) { metrics.batch(pictures, seconds); },
          .on_error = log_error};
}

int encoding_threads(const ServeConfig& config) {
  return config.threads > 0 ? config.threads : available_cores();
}

ServerConfig server_config(const ServeConfig& config) {
  ServerConfig server;
  server.host = config.host;
  server.port = static_cast<uint16_t>(config.port);
  server.max_connections = static_cast<size_t>(config.max_connections);
  server.max_connections_per_address = static_cast<size_t>(config.connections_per_address);
  server.body_limit = 1024;  // no route takes a body
  server.idle_deadline = milliseconds(config.idle_deadline);
  server.answer_deadline = milliseconds(config.request_deadline);
  server.drain_deadline = milliseconds(config.drain_deadline);
  server.headers = security_headers();
  server.on_handler_error = log_error;
  return server;
}

}  // namespace

struct Service::Impl {
  const ServeConfig config;
  ModelProvider& provider;
  AccessLog log;
  ServeMetrics metrics;
  BodyCache cache;
  FreshSeeds seeds;
  RunCurves run;
  const Assets assets;
  std::optional<Workers> workers;
  std::optional<Batcher> batcher;
  PictureMaker pictures;
  const Router router;
  const AccessControl access_control;
  std::atomic<bool> stopped = false;
  std::atomic<const HttpServer*> listening =
      nullptr;                         // the server, for handlers that may run before it is assigned
  std::unique_ptr<HttpServer> server;  // last: it calls everything above

  Impl(ServeConfig given, ModelProvider& models)
      : config(std::move(given)),
        provider(models),
        log(config.access_log),
        cache(static_cast<size_t>(config.cache_mb) * 1'000'000),
        run(config.run_directory),
        assets(embedded_files()),
        workers(std::in_place, encoding_threads(config)),
        batcher(std::in_place, batcher_config(config, metrics), provider),
        pictures({milliseconds(config.request_deadline), log_error}, provider, *batcher, cache, *workers,
                 metrics),
        router(all_routes(
            {provider, pictures, seeds, run, *workers, assets, [this] { return metrics_text(); }})),
        access_control(config.token, config.allow_origin) {
    ServerConfig settings = server_config(config);
    settings.on_response = [this](const HttpRequest& request, const HttpResponse& response, double seconds) {
      record(request, response, seconds);
    };
    server = std::make_unique<HttpServer>(std::move(settings),
                                          [this](HttpRequest& request) { return handle(request); });
    listening = server.get();
  }

  ~Impl() { stop(); }

  std::string metrics_text() {
    const HttpServer* complete = listening;
    return metrics.text({.queue = batcher->in_progress(),
                         .cache_bytes = cache.bytes(),
                         .connections = complete != nullptr ? complete->connections() : 0,
                         .ready = provider.current() != nullptr});
  }

  // The route is looked up once; its name stays with the request.
  HttpReply handle(HttpRequest& request) const {
    const RouteMatch match = router.find(request.path);
    if (match.route != nullptr) request.route = match.route->name;
    return access_control.reply(request, match.access(), [&] { return match.reply(request); });
  }

  // On the server's threads.
  void record(const HttpRequest& request, const HttpResponse& response, double seconds) {
    metrics.request(request.route, response.status, seconds);
    log.write(request, response, seconds);
  }

  // In the order in which a request passes them: none outlives what it hands its work to.
  void stop() {
    if (stopped.exchange(true)) return;
    if (server) server->stop();
    batcher.reset();
    workers.reset();
  }
};

Service::Service(ServeConfig config, ModelProvider& provider)
    : impl_(std::make_unique<Impl>(std::move(config), provider)) {}

Service::~Service() = default;

uint16_t Service::port() const {
  return impl_->server->port();
}

std::string Service::url() const {
  const std::string& host = impl_->config.host;
  // A server that listens on every address is reached on this machine; an IPv6 address needs brackets.
  const std::string name = host == "0.0.0.0" || host == "::"     ? "127.0.0.1"
                           : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                 : host;
  return fmt::format("http://{}:{}/", name, port());
}

void Service::stop() {
  impl_->stop();
}

}  // namespace nowhere
