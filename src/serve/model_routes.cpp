#include <boost/json.hpp>
#include <exception>

#include "serve/api_limits.h"
#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

namespace json = boost::json;

// Without facts().file: clients are not told where files lie.
HttpResponse model(const ModelProvider& provider) {
  const auto current = provider.current();
  const ModelFacts facts = current != nullptr ? current->facts() : ModelFacts();
  const json::object answer = {{"name", facts.name},
                               {"size", facts.picture_size},
                               {"nz", facts.latent_size},
                               {"parameters", facts.parameters},
                               {"epoch", facts.epoch},
                               {"digest", facts.digest},
                               {"images_seen", facts.images_seen},
                               {"trained_on", facts.trained_on},
                               {"file_name", facts.file_name},
                               {"following", provider.following()},
                               {"ready", current != nullptr}};
  return json_response(json::serialize(answer));
}

HttpResponse checkpoints(const ModelProvider& provider) {
  const auto model = provider.current();
  json::array epochs;
  for (const SavedEpoch& saved : provider.epochs()) epochs.emplace_back(saved.epoch);
  const json::value current = model != nullptr ? json::value(model->facts().epoch) : json::value(nullptr);
  return json_response(json::serialize(json::object{{"epochs", std::move(epochs)}, {"current", current}}));
}

// Reads a file, hence on a worker's thread.
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
      [&provider = parts.provider](const HttpRequest&, const Parameters&) { return model(provider); });
  add("checkpoints", "/v1/checkpoints",
      [&provider = parts.provider](const HttpRequest&, const Parameters&) { return checkpoints(provider); });
  add("limits", "/v1/limits",
      [](const HttpRequest&, const Parameters&) { return json_response(json::serialize(api_limits())); });
  add("run", "/v1/run",
      [&curves = parts.run, &workers = parts.workers](const HttpRequest&, const Parameters&) {
        return run(curves, workers);
      });
}

}  // namespace nowhere
