// All routes of the server, one group per file. web/openapi.json describes them for clients; a test compares
// the two.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serve/assets.h"
#include "serve/fresh_seeds.h"
#include "serve/model_provider.h"
#include "serve/parameter_reader.h"
#include "serve/picture_maker.h"
#include "serve/router.h"
#include "serve/run_curves.h"
#include "serve/workers.h"

namespace nowhere {

// What handlers work with. All of it is thread-safe and outlives the routes.
struct RouteParts {
  ModelProvider& provider;
  PictureMaker& pictures;
  FreshSeeds& seeds;
  RunCurves& run;
  Workers& workers;
  const Assets& assets;
  std::function<std::string()> metrics;  // as text for Prometheus
};

std::vector<Route> all_routes(const RouteParts& parts);

void add_image_routes(std::vector<Route>& routes, const RouteParts& parts);  // one picture
void add_sheet_routes(std::vector<Route>& routes, const RouteParts& parts);  // grid and morph
void add_reference_routes(std::vector<Route>& routes,
                          const RouteParts& parts);  // those of the reference's server
void add_model_routes(std::vector<Route>& routes, const RouteParts& parts);  // facts about model and run
void add_health_routes(std::vector<Route>& routes, const RouteParts& parts);
void add_page_routes(std::vector<Route>& routes,
                     const RouteParts& parts);  // gallery, documentation, their files

// The parameters about the model that every picture takes: epoch= and model=.
RequestedModel read_requested_model(ParameterReader& reader);
double read_truncation(ParameterReader& reader);

}  // namespace nowhere
