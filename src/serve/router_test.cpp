#include "serve/router.h"

#include <gtest/gtest.h>

#include "serve/parameter_reader.h"

namespace nowhere {
namespace {

class RouterTest : public testing::Test {
 protected:
  static Route route(std::string name, std::string pattern, std::vector<std::string> query = {}) {
    return {.name = name,
            .pattern = std::move(pattern),
            .query = std::move(query),
            .handle = [name](const HttpRequest&, const Parameters& parameters) {
              std::string text = name;
              for (const auto& [key, value] : parameters) text += " " + key + "=" + value;
              return HttpResponse{.body = text};
            }};
  }
  HttpResponse ask(const std::string& target, const std::string& method = "GET") {
    HttpRequest request;
    request.method = method;
    EXPECT_TRUE(set_target(request, target));
    return router_.find(request.path).reply(request).response;
  }
  std::string text(const std::string& target) {
    const HttpResponse response = ask(target);
    return response.status == 200 ? std::string(response.body.bytes().begin(), response.body.bytes().end())
                                  : std::to_string(response.status);
  }

  Router router_{{route("root", "/"), route("random", "/i/random.{format}"),
                  route("image", "/i/{seed}.{format}", {"q"}), route("pair", "/p/{a}/{b}"),
                  route("file", "/f/{name}"), route("fixed", "/fixed.json")}};
};

TEST_F(RouterTest, PathsFindTheirRoutes) {
  EXPECT_EQ(text("/"), "root");
  EXPECT_EQ(text("/i/random.png"), "random format=png");
  EXPECT_EQ(text("/i/5.png"), "image format=png seed=5");
  EXPECT_EQ(text("/i/5.6.png?q=1"), "image format=png q=1 seed=5.6");
  EXPECT_EQ(text("/i/%35.png"), "image format=png seed=5");
  EXPECT_EQ(text("/p/x/y"), "pair a=x b=y");
  EXPECT_EQ(text("/p/x%2Fy/z"), "pair a=x/y b=z");
  EXPECT_EQ(text("/f/a.b.css"), "file name=a.b.css");
  EXPECT_EQ(text("/fixed.json"), "fixed");
}

TEST_F(RouterTest, OtherPathsAreNotFound) {
  for (const char* path : {"/x", "//", "/i", "/i/", "/i/5", "/i/.png", "/i/5.", "/i/5.png/", "/i/5.png/x",
                           "/p/x", "/p//y", "/f/", "/fixedxjson", "/i/%.png", "/I/5.png"})
    EXPECT_EQ(text(path), "404") << path;
}

TEST_F(RouterTest, QueriesAreStrictAndMethodsKnown) {
  EXPECT_EQ(text("/i/5.png?x=1"), "400");
  EXPECT_EQ(text("/?q=1"), "400");
  const HttpResponse post = ask("/i/5.png?x=1", "POST");
  EXPECT_EQ(post.status, 405);
  EXPECT_EQ(post.headers.back(), (std::pair<std::string, std::string>("Allow", "GET, HEAD")));
  EXPECT_EQ(ask("/x", "POST").status, 404);
  EXPECT_EQ(ask("/i/5.png", "HEAD").status, 200);
}

TEST_F(RouterTest, AMatchHasItsRoute) {
  EXPECT_EQ(router_.find("/i/5.png").route->name, "image");
  EXPECT_TRUE(router_.find("/i/5.png").access().needs_token);
  EXPECT_EQ(router_.find("/x").route, nullptr);
  EXPECT_TRUE(router_.find("/x").access().needs_token);
  EXPECT_TRUE(router_.find("/x").parameters.empty());
  Route open = route("open", "/open");
  open.without_token = true;
  EXPECT_FALSE(Router({open}).find("/open").access().needs_token);
  EXPECT_FALSE(Router({open}).find("/open").access().for_every_page);
  open.for_every_page = true;
  EXPECT_TRUE(Router({open}).find("/open").access().for_every_page);
}

TEST(ParameterReader, ReportsTheFirstError) {
  const Parameters parameters = {
      {"n", "5"}, {"x", "0.5"}, {"seeds", "1-3"}, {"model", "ABCDEF012345"}, {"format", "webp"}};
  ParameterReader good(parameters);
  EXPECT_EQ(good.integer("n", 1, 9), 5u);
  EXPECT_EQ(good.integer("absent", 1, 9, 7), 7u);
  EXPECT_EQ(good.number("x", 0, 1, 1), 0.5);
  EXPECT_EQ(good.seeds("seeds", 2, 3).size(), 3u);
  EXPECT_EQ(good.hex("model", 12, 16), "abcdef012345");
  EXPECT_EQ(good.hex("absent", 12, 16), "");
  EXPECT_EQ(good.format({PictureFormat::kPng, PictureFormat::kWebp}), PictureFormat::kWebp);
  EXPECT_FALSE(good.failed());

  ParameterReader bad(parameters);
  bad.integer("n", 1, 4);
  bad.format({PictureFormat::kPng});
  ASSERT_TRUE(bad.failed());
  EXPECT_EQ(bad.refusal().status, 400);
  const HttpResponse refusal = bad.refusal();
  const auto bytes = refusal.body.bytes();
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()),
            "{\"error\":{\"status\":400,\"message\":\"n must be a whole number from 1 to 4\"}}\n");
  ParameterReader ending(parameters);
  ending.format({PictureFormat::kPng});
  EXPECT_EQ(ending.refusal().status, 404);
  ParameterReader missing(parameters);
  missing.integer("absent", 0, 1);
  EXPECT_TRUE(missing.failed());
  ParameterReader short_digest(parameters);
  short_digest.hex("model", 13, 16);
  EXPECT_TRUE(short_digest.failed());
  ParameterReader many(parameters);
  many.seeds("seeds", 4, 64);
  EXPECT_TRUE(many.failed());
}

}  // namespace
}  // namespace nowhere
