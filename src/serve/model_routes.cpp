#include <boost/json.hpp>
#include <exception>

#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

namespace json = boost::json;

HttpResponse model(const Studio& studio) {
  const auto painter = studio.current();
  const ModelInfo info = painter != nullptr ? painter->info() : ModelInfo();
  const json::object answer = {{"name", info.name},
                               {"size", info.size},
                               {"nz", info.nz},
                               {"parameters", info.parameters},
                               {"epoch", info.epoch},
                               {"digest", info.digest},
                               {"images_seen", info.images_seen},
                               {"trained_on", info.trained_on},
                               {"file_name", info.file_name},
                               {"following", studio.following()},
                               {"ready", painter != nullptr}};
  return json_response(json::serialize(answer));
}

HttpResponse checkpoints(const Studio& studio) {
  const auto painter = studio.current();
  json::array epochs;
  for (const SavedEpoch& saved : studio.epochs()) epochs.emplace_back(saved.epoch);
  const json::value current = painter != nullptr ? json::value(painter->info().epoch) : json::value(nullptr);
  return json_response(json::serialize(json::object{{"epochs", std::move(epochs)}, {"current", current}}));
}

// Reads a file, so on a worker's thread.
HttpReply run(RunCurves& curves, Workers& workers) {
  return HttpReply([&curves, &workers](const HttpRespond& respond) {
    workers.post([&curves, respond] {
      try {
        respond(json_response(curves.json()));
      } catch (const std::exception&) {  // out of memory, at worst
        respond(error_response(500, "internal error"));
      }
    });
  });
}

}  // namespace

void add_model_routes(std::vector<Route>& routes, const RouteParts& parts) {
  const auto add = [&](std::string name, std::string pattern, RouteHandler handle) {
    routes.push_back({.name = std::move(name), .pattern = std::move(pattern), .handle = std::move(handle)});
  };
  add("model", "/v1/model",
      [&studio = parts.studio](const HttpRequest&, const Parameters&) { return model(studio); });
  add("checkpoints", "/v1/checkpoints",
      [&studio = parts.studio](const HttpRequest&, const Parameters&) { return checkpoints(studio); });
  add("run", "/v1/run",
      [&curves = parts.run, &workers = parts.workers](const HttpRequest&, const Parameters&) {
        return run(curves, workers);
      });
}

}  // namespace nowhere
