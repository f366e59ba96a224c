#include "serve/service.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "core/console.h"
#include "net/server.h"
#include "serve/access_log.h"
#include "serve/gatekeeper.h"
#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// What went wrong inside is for who runs the server, on stderr.
void complain(const std::string& what) {
  print_message(fmt::format("nowhere: {}\n", what));
}

BatcherConfig batcher_config(const ServeConfig& config, ServeFigures& figures) {
  return {.max_batch = static_cast<size_t>(config.max_batch),
          .max_delay = std::chrono::microseconds(static_cast<int64_t>(config.batch_delay_ms * 1000)),
          .queue = static_cast<size_t>(config.queue),
          .on_batch = [&figures](size_t pictures, double seconds) { figures.batch(pictures, seconds); },
          .on_error = complain};
}

int encoding_threads(const ServeConfig& config) {
  return config.threads > 0 ? config.threads
                            : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
}

ServerConfig server_config(const ServeConfig& config) {
  ServerConfig server;
  server.host = config.host;
  server.port = static_cast<uint16_t>(config.port);
  server.max_connections = static_cast<size_t>(config.max_connections);
  server.max_connections_per_address = static_cast<size_t>(config.connections_per_address);
  server.body_limit = 1024;  // nothing here wants a body
  server.idle_deadline = milliseconds(config.idle_deadline);
  server.answer_deadline = milliseconds(config.request_deadline);
  server.drain_deadline = milliseconds(config.drain_deadline);
  server.headers = security_headers(!config.allow_origin.empty());
  server.on_handler_error = complain;
  return server;
}

}  // namespace

struct Service::Impl {
  const ServeConfig config;
  Studio& studio;
  AccessLog log;
  ServeFigures figures;
  BodyCache cache;
  FreshSeeds seeds;
  RunCurves run;
  const Assets assets;
  std::optional<Workers> workers;
  std::optional<Batcher> batcher;
  PictureMaker pictures;
  const Router router;
  const Gatekeeper gatekeeper;
  std::atomic<bool> stopped = false;
  std::atomic<const HttpServer*> listening =
      nullptr;                         // the server, for handlers that may run before it is complete
  std::unique_ptr<HttpServer> server;  // last: it calls all the rest

  Impl(ServeConfig given, Studio& of)
      : config(std::move(given)),
        studio(of),
        log(config.access_log),
        cache(static_cast<size_t>(config.cache_mb) * 1'000'000),
        run(config.run_directory),
        assets(embedded_files()),
        workers(std::in_place, encoding_threads(config)),
        batcher(std::in_place, batcher_config(config, figures), studio),
        pictures({milliseconds(config.request_deadline), complain}, studio, *batcher, cache, *workers,
                 figures),
        router(all_routes({studio, pictures, seeds, run, *workers, assets, [this] { return metrics(); }})),
        gatekeeper(router, config.token, config.allow_origin) {
    ServerConfig settings = server_config(config);
    settings.on_response = [this](const HttpRequest& request, const HttpResponse& response, double seconds) {
      note(request, response, seconds);
    };
    server = std::make_unique<HttpServer>(
        std::move(settings), [this](const HttpRequest& request) { return gatekeeper.reply(request); });
    listening = server.get();
  }

  ~Impl() { stop(); }

  std::string metrics() {
    const HttpServer* complete = listening;
    return figures.text({.queue = batcher->under_way(),
                         .cache_bytes = cache.figures().bytes,
                         .connections = complete != nullptr ? complete->connections() : 0,
                         .ready = studio.current() != nullptr});
  }

  // On the server's threads.
  void note(const HttpRequest& request, const HttpResponse& response, double seconds) {
    Parameters ignored;
    const Route* route = router.find(request.path, ignored);
    const std::string name = route != nullptr ? route->name : "none";
    figures.request(name, response.status, seconds);
    log.write(request, response, name, seconds);
  }

  // First those who ask, then who paints, then who encodes: none of them finds the next one gone.
  void stop() {
    if (stopped.exchange(true)) return;
    if (server) server->stop();
    batcher.reset();
    workers.reset();
  }
};

Service::Service(ServeConfig config, Studio& studio)
    : impl_(std::make_unique<Impl>(std::move(config), studio)) {}

Service::~Service() = default;

uint16_t Service::port() const {
  return impl_->server->port();
}

std::string Service::url() const {
  const std::string& host = impl_->config.host;
  // What listens everywhere is found here; an IPv6 address is put into brackets.
  const std::string name = host == "0.0.0.0" || host == "::"     ? "127.0.0.1"
                           : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                 : host;
  return fmt::format("http://{}:{}/", name, port());
}

void Service::stop() {
  impl_->stop();
}

}  // namespace nowhere
