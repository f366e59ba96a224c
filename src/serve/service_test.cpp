// The whole service over a socket: what it responds.
#include "serve/service.h"

#include <boost/json.hpp>

#include "core/file.h"
#include "core/test_folder.h"
#include "serve/service_fixture.h"

namespace nowhere {
namespace {

TEST_F(ServiceTest, ListensBeforeTheModelIsLoaded) {
  FakeModelProvider empty(/*ready=*/false);
  const Service service(config(), empty);
  TestClient client(service.port());
  EXPECT_EQ(status_of(client.get("/livez")), 200);
  EXPECT_EQ(status_of(client.get("/readyz")), 503);
  const std::string early = client.get("/v1/images/1.png");
  EXPECT_EQ(status_of(early), 503);
  EXPECT_EQ(header(early, "Retry-After"), "1");
  EXPECT_NE(client.get("/v1/model").find("\"ready\":false"), std::string::npos);
  EXPECT_EQ(body(client.get("/v1/checkpoints")), "{\"epochs\":[1,2,3,4,5],\"current\":null}");
  EXPECT_EQ(status_of(client.get("/gan_imgs")), 503);
  empty.become_ready();
  EXPECT_EQ(status_of(client.get("/readyz")), 200);
  EXPECT_EQ(status_of(client.get("/v1/images/1.png")), 200);
}

TEST_F(ServiceTest, PicturesOfEveryKind) {
  start();
  const std::pair<const char*, const char*> kinds[] = {
      {"/v1/images/5.png", "image/png"},
      {"/v1/images/18446744073709551615.webp", "image/webp"},
      {"/v1/images/5.jpg?truncation=0.5", "image/jpeg"},
      {"/v1/between/1/2/500.png", "image/png"},
      {"/v1/near/1/64.webp?angle=1.5", "image/webp"},
      {"/v1/grid.png?seeds=1,2,5-9&cols=3", "image/png"},
      {"/v1/grid.webp?seeds=1-64", "image/webp"},
      {"/v1/morph.gif?seeds=3,7,12&frames=4", "image/gif"},
      {"/v1/morph.webp?seeds=3,7&frames=2&ms=50", "image/webp"},
      {"/v1/grid.png?seeds=1,2&n=16", "image/png"},
      {"/v1/images/5.png?epoch=2", "image/png"},
      {"/gan_imgs?t=1", "image/png"},
      {"/gan_gifs", "image/gif"}};
  for (const auto& [target, type] : kinds) {
    const std::string response = get(target);
    EXPECT_EQ(status_of(response), 200) << target << body(response);
    EXPECT_EQ(header(response, "Content-Type"), type) << target;
    EXPECT_FALSE(body(response).empty()) << target;
  }
}

TEST_F(ServiceTest, AMorphHasAtMost256Frames) {
  start();
  get("/v1/morph.webp?seeds=1-8&frames=64");
  size_t frames = 0;
  for (const size_t batch : provider_.model()->batches()) frames += batch;
  EXPECT_EQ(frames, 256u);
  const std::string same = get("/v1/morph.webp?seeds=1-8&frames=32");
  EXPECT_EQ(header(same, "ETag"), header(get("/v1/morph.webp?seeds=1-8&frames=64"), "ETag"));
}

TEST_F(ServiceTest, DifferentRequestsGiveDifferentPictures) {
  start();
  const std::string five = body(get("/v1/images/5.png"));
  EXPECT_EQ(body(get("/v1/images/5.png?truncation=1")), five);
  EXPECT_EQ(body(get("/v1/between/5/6/0.png")), five);
  EXPECT_EQ(body(get("/v1/between/4/5/1000.png")), five);
  EXPECT_EQ(body(get("/v1/near/5/1.png?angle=0")), five);
  for (const char* other : {"/v1/images/6.png", "/v1/images/5.png?truncation=0.5", "/v1/images/5.png?epoch=2",
                            "/v1/between/5/6/500.png", "/v1/near/5/1.png"})
    EXPECT_NE(body(get(other)), five) << other;
}

TEST_F(ServiceTest, FreshSeedsRedirectToTheirAddress) {
  start();
  const std::string random = get("/v1/images/random.webp?truncation=0.5");
  EXPECT_EQ(status_of(random), 302);
  EXPECT_EQ(header(random, "Cache-Control"), "no-store");
  EXPECT_TRUE(header(random, "Location").starts_with("/v1/images/"));
  EXPECT_TRUE(header(random, "Location").ends_with(".webp?truncation=0.5"));
  EXPECT_EQ(status(header(random, "Location")), 200);
  EXPECT_NE(header(get("/v1/images/random.png"), "Location"),
            header(get("/v1/images/random.png"), "Location"));

  const std::string grid = get("/v1/grid.png?n=6&cols=3&epoch=2");
  EXPECT_EQ(status_of(grid), 302);
  EXPECT_EQ(header(grid, "Cache-Control"), "no-store");
  EXPECT_TRUE(header(grid, "Location").ends_with("&cols=3&epoch=2")) << header(grid, "Location");
  EXPECT_EQ(status(header(grid, "Location")), 200);
  EXPECT_EQ(status("/v1/grid.webp"), 302);

  const std::string uncached = get("/gan_imgs");
  EXPECT_EQ(header(uncached, "Cache-Control"), "no-store");
  EXPECT_EQ(header(uncached, "ETag"), "");
  EXPECT_NE(body(uncached), body(get("/gan_imgs")));
}

TEST_F(ServiceTest, FactsAndHealth) {
  start();
  const auto model = boost::json::parse(body(get("/v1/model")));
  EXPECT_EQ(model.at("name"), "fake");
  EXPECT_EQ(model.at("epoch"), 5);
  EXPECT_EQ(model.at("ready"), true);
  EXPECT_EQ(model.at("following"), false);
  EXPECT_EQ(body(get("/v1/checkpoints")), "{\"epochs\":[1,2,3,4,5],\"current\":5}");
  EXPECT_EQ(get("/v1/model").find("secret"), std::string::npos);  // no path reaches a client
  EXPECT_EQ(boost::json::parse(body(get("/v1/limits"))).at("max_grid_pictures"), 64);
  EXPECT_EQ(body(get("/v1/run")), "{\"training\":false,\"points\":[]}");
  EXPECT_EQ(body(get("/health")), "{\"Health\":\"OK\"}");
  EXPECT_EQ(body(get("/")), "{\"Health\":\"OK\"}");
  const std::string page = get("/", "Accept: text/html,*/*;q=0.8\r\n");
  EXPECT_EQ(header(page, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(header(page, "Vary"), "Accept");
  EXPECT_EQ(status("/", "Accept: text/html\r\nIf-None-Match: " + header(page, "ETag") + "\r\n"), 304);
}

TEST_F(ServiceTest, TheDocumentationStatesTheLimits) {
  start();
  const std::string page = body(get("/docs"));
  EXPECT_NE(page.find("Up to 64 streets on one sheet"), std::string::npos);
  EXPECT_EQ(page.find("{max_"), std::string::npos);
}

TEST_F(ServiceTest, TheRunsCurvesAreServed) {
  const TestFolder folder;
  write_file(folder.path() / "stats.jsonl", std::string_view("{\"images\":32,\"D_loss\":0.5}\n"));
  ServeConfig with_run = config();
  with_run.run_directory = folder.path();
  start(with_run);
  const auto run = boost::json::parse(body(get("/v1/run")));
  EXPECT_EQ(run.at("training"), true);
  EXPECT_EQ(run.at("points").as_array().size(), 1u);
}

}  // namespace
}  // namespace nowhere
