// All addresses of the server, a group to a file. web/openapi.json describes them for clients; a test compares the two.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serve/assets.h"
#include "serve/fresh_seeds.h"
#include "serve/painter.h"
#include "serve/parameter_reader.h"
#include "serve/picture_maker.h"
#include "serve/router.h"
#include "serve/run_curves.h"
#include "serve/workers.h"

namespace nowhere {

// What handlers work with. All of it is made for many threads and outlives the routes.
struct RouteParts {
  Studio& studio;
  PictureMaker& pictures;
  FreshSeeds& seeds;
  RunCurves& run;
  Workers& workers;
  const Assets& assets;
  std::function<std::string()> metrics;  // the text for Prometheus
};

std::vector<Route> all_routes(const RouteParts& parts);

void add_image_routes(std::vector<Route>& routes, const RouteParts& parts);  // one picture
void add_sheet_routes(std::vector<Route>& routes, const RouteParts& parts);  // grid and morph
void add_original_routes(std::vector<Route>& routes,
                         const RouteParts& parts);                           // those of the original's server
void add_model_routes(std::vector<Route>& routes, const RouteParts& parts);  // facts about model and run
void add_health_routes(std::vector<Route>& routes, const RouteParts& parts);
void add_page_routes(std::vector<Route>& routes,
                     const RouteParts& parts);  // gallery, documentation, their files

// What every picture's address may say about the model: epoch= and model=.
ModelTerms read_model_terms(ParameterReader& reader);
double read_truncation(ParameterReader& reader);

}  // namespace nowhere
