#include "core/text.h"
#include "serve/api_limits.h"
#include "serve/http_rules.h"
#include "serve/routes.h"

namespace nowhere {
namespace {

HttpResponse served(const Asset* asset, const HttpRequest& request, const char* cache_control) {
  if (asset == nullptr) return error_response(404, "not found");
  return cacheable_response(request.header("If-None-Match"), asset->etag, cache_control, asset->mime,
                            asset->body);
}

// The page at /docs, with the limits that hold.
Asset docs_page(const Assets& assets) {
  const Asset* page = assets.find("docs.html");
  if (page == nullptr) return {};
  const auto bytes = page->body.bytes();
  const std::string text = with_limits(std::string(bytes.begin(), bytes.end()));
  return {page->mime, etag_of(text), text};
}

// Browsers get the gallery; other clients of "/" get a health response, as from the reference DCGAN's server.
HttpResponse root(const Assets& assets, const HttpRequest& request) {
  const bool html = lower(request.header("Accept")).find("text/html") != std::string::npos;
  const Asset* gallery = html ? assets.find("index.html") : nullptr;
  HttpResponse response =
      gallery != nullptr ? served(gallery, request, kRevalidate) : json_response(R"({"Health":"OK"})");
  response.headers.emplace_back("Vary", "Accept");
  return response;
}

HttpResponse asset(const Assets& assets, const HttpRequest& request, const Parameters& parameters) {
  const std::string& name = parameters.at("name");
  if (name.ends_with(".html")) return error_response(404, "not found");  // pages have addresses of their own
  ParameterReader reader(parameters);
  const std::string version = reader.hex("v", assets.version().size(), assets.version().size());
  if (reader.failed()) return reader.refusal();
  const bool current = version == assets.version();
  return served(assets.find(name), request, current ? kImmutable : kRevalidate);
}

}  // namespace

void add_page_routes(std::vector<Route>& routes, const RouteParts& parts) {
  const Assets& assets = parts.assets;
  routes.push_back(
      {.name = "gallery",
       .pattern = "/",
       .handle = [&assets](const HttpRequest& request, const Parameters&) { return root(assets, request); },
       .any_query = true,
       .for_every_page = true});
  routes.push_back({.name = "docs",
                    .pattern = "/docs",
                    .handle = [page = docs_page(assets)](
                                  const HttpRequest& request,
                                  const Parameters&) { return served(&page, request, kRevalidate); },
                    .any_query = true});
  routes.push_back({.name = "openapi",
                    .pattern = "/openapi.json",
                    .handle = [&assets](const HttpRequest& request, const Parameters&) {
                      return served(assets.find("openapi.json"), request, kRevalidate);
                    }});
  routes.push_back({.name = "asset",
                    .pattern = "/assets/{name}",
                    .query = {"v"},
                    .handle = [&assets](const HttpRequest& request, const Parameters& parameters) {
                      return asset(assets, request, parameters);
                    }});
}

}  // namespace nowhere
