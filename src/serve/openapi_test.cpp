// web/openapi.json against the routes themselves: neither may say what the other does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <set>
#include <string>

#include "serve/fake_model.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

namespace json = boost::json;
using Names = std::set<std::string>;

class OpenApi : public testing::Test {
 protected:
  const json::value& resolve(const json::value& value) const {
    const json::value* reference = value.is_object() ? value.get_object().if_contains("$ref") : nullptr;
    if (reference == nullptr) return value;
    std::error_code error;
    const json::value* found =
        description_.find_pointer(std::string(reference->as_string()).substr(1), error);
    return found != nullptr ? *found : throw std::runtime_error("a $ref that leads nowhere");
  }
  Names parameters(const json::object& path, std::string_view in) const {
    Names names;
    if (!path.contains("parameters")) return names;
    for (const json::value& entry : path.at("parameters").as_array()) {
      const json::value& parameter = resolve(entry);
      if (parameter.at("in").as_string() == in) names.insert(std::string(parameter.at("name").as_string()));
    }
    return names;
  }
  const json::value& schema(const std::string& path, std::string_view name) const {
    for (const json::value& entry : description_.at("paths").at(path).at("parameters").as_array())
      if (const json::value& parameter = resolve(entry); parameter.at("name").as_string() == name)
        return parameter.at("schema");
    throw std::runtime_error("a parameter that is not described");
  }
  double bound(const std::string& path, std::string_view name, const char* which) const {
    return schema(path, name).at(which).to_number<double>();
  }
  std::string pattern(const std::string& path, std::string_view name) const {
    return std::string(schema(path, name).at("pattern").as_string());
  }
  static Names in_braces(const std::string& pattern) {
    Names names;
    for (size_t at = pattern.find('{'); at != std::string::npos; at = pattern.find('{', at + 1))
      names.insert(pattern.substr(at + 1, pattern.find('}', at) - at - 1));
    return names;
  }

  Assets assets_{embedded_files()};
  const json::value description_ = [this] {
    const auto bytes = assets_.find("openapi.json")->body.bytes();
    return json::parse(std::string(bytes.begin(), bytes.end()));
  }();
  FakeModelProvider provider_;
  ServeMetrics metrics_;
  BodyCache cache_{0};
  FreshSeeds seeds_;
  RunCurves run_{""};
  Workers workers_{1};
  Batcher batcher_{{}, provider_};
  PictureMaker pictures_{{}, provider_, batcher_, cache_, workers_, metrics_};
  const std::vector<Route> routes_ =
      all_routes({provider_, pictures_, seeds_, run_, workers_, assets_, [] { return std::string(); }});
};

TEST_F(OpenApi, NamesEveryRouteWithItsParameters) {
  const json::object& paths = description_.at("paths").as_object();
  Names described, routed;
  for (const auto& path : paths) described.insert(std::string(path.key()));
  for (const Route& route : routes_) routed.insert(route.pattern);
  EXPECT_EQ(described, routed);
  for (const Route& route : routes_) {
    const json::object& path = paths.at(route.pattern).as_object();
    EXPECT_EQ(parameters(path, "path"), in_braces(route.pattern)) << route.pattern;
    EXPECT_EQ(parameters(path, "query"), Names(route.query.begin(), route.query.end())) << route.pattern;
  }
}

TEST_F(OpenApi, NamesTheAnswers) {
  for (const Route& route : routes_) {
    const json::object& path = description_.at("paths").at(route.pattern).as_object();
    for (const char* method : {"get", "head"}) {
      const json::object& responses = path.at(method).at("responses").as_object();
      EXPECT_TRUE(responses.contains("200") || responses.contains("302")) << route.pattern;
      EXPECT_TRUE(responses.contains("405")) << route.pattern;
      EXPECT_EQ(responses.contains("400"), !route.any_query) << route.pattern;
      EXPECT_EQ(responses.contains("401"), !route.without_token) << route.pattern;
      for (const auto& response : responses)
        EXPECT_TRUE(resolve(response.value()).as_object().contains("description"));
    }
  }
}

TEST_F(OpenApi, HasTheLimitsThatTheServerStates) {
  const auto route = std::ranges::find(routes_, "limits", &Route::name);
  ASSERT_NE(route, routes_.end());
  const HttpResponse response = route->handle({}, {}).response;
  const json::value limits =
      json::parse(std::string(response.body.bytes().begin(), response.body.bytes().end()));
  const auto number = [&](const char* name) { return limits.at(name).to_number<double>(); };
  const auto digits = [&](const char* name, int less = 0) {
    return std::to_string(limits.at(name).to_number<int>() - less);
  };

  const std::string grid = "/v1/grid.{format}", morph = "/v1/morph.{format}";
  EXPECT_EQ(bound(grid, "n", "maximum"), number("max_grid_pictures"));
  EXPECT_EQ(bound(grid, "cols", "maximum"), number("max_grid_pictures"));
  EXPECT_EQ(bound(morph, "frames", "minimum"), number("min_leg_frames"));
  EXPECT_EQ(bound(morph, "frames", "maximum"), number("max_leg_frames"));
  EXPECT_EQ(bound(morph, "ms", "minimum"), number("min_frame_ms"));
  EXPECT_EQ(bound(morph, "ms", "maximum"), number("max_frame_ms"));
  EXPECT_EQ(bound("/v1/near/{seed}/{k}.{format}", "k", "maximum"), number("max_neighbours"));
  EXPECT_EQ(bound("/v1/near/{seed}/{k}.{format}", "angle", "maximum"), number("max_angle"));
  EXPECT_EQ(bound("/v1/between/{a}/{b}/{t}.{format}", "t", "maximum"), number("arc_steps"));
  EXPECT_TRUE(pattern(grid, "seeds").ends_with("{0," + digits("max_grid_pictures", 1) + "}$"));
  EXPECT_TRUE(pattern(morph, "seeds")
                  .ends_with("{" + digits("min_morph_seeds", 1) + "," + digits("max_morph_seeds", 1) + "}$"));
  EXPECT_TRUE(pattern(grid, "model")
                  .ends_with("{" + digits("min_digest_digits") + "," + digits("max_digest_digits") + "}$"));
  Names described, stated;
  for (const auto& property :
       description_.at("components").at("schemas").at("Limits").at("properties").as_object())
    described.insert(std::string(property.key()));
  for (const auto& limit : limits.as_object()) stated.insert(std::string(limit.key()));
  EXPECT_EQ(described, stated);
}

TEST_F(OpenApi, RouteNamesAreUnique) {
  Names names;
  for (const Route& route : routes_) EXPECT_TRUE(names.insert(route.name).second) << route.name;
}

}  // namespace
}  // namespace nowhere
