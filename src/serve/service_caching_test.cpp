// The whole service over a socket: what browsers and shared caches may keep, and for how long.
#include "serve/http_rules.h"
#include "serve/service_fixture.h"

namespace nowhere {
namespace {

constexpr const char* kToken = "Authorization: Bearer 0123456789abcdef\r\n";
constexpr const char* kPictures[] = {
    "/v1/images/5.png",         "/v1/images/5.webp?truncation=0.5", "/v1/between/1/2/500.jpg",
    "/v1/near/1/2.png?angle=1", "/v1/grid.png?seeds=1-4&cols=2",    "/v1/morph.gif?seeds=1,2&frames=2&ms=50"};

class ServiceCaching : public ServiceTest {
 protected:
  // The address with one more parameter.
  static std::string with(const std::string& target, const std::string& parameter) {
    return target + (target.find('?') == std::string::npos ? "?" : "&") + parameter;
  }
  std::string named_model() const { return "model=" + provider_.model()->facts().digest.substr(0, 12); }
  std::string caching(std::string_view target, std::string_view headers = "") {
    return header(get(target, headers), "Cache-Control");
  }
  // The address of an asset as the page at /docs names it.
  std::string asset(std::string_view headers = "") {
    const std::string page = body(get("/docs", headers));
    const size_t at = page.find("/assets/");
    return page.substr(at, page.find('"', at) - at);
  }
  void start_with_token() {
    ServeConfig secret = config();
    secret.token = "0123456789abcdef";
    start(secret);
  }
};

TEST_F(ServiceCaching, ETagsAndConditionalRequests) {
  start();
  const std::string first = get("/v1/images/5.png");
  const std::string etag = header(first, "ETag");
  EXPECT_EQ(etag.size(), 34u);
  const std::string again = get("/v1/images/5.png", "If-None-Match: " + etag + "\r\n");
  EXPECT_EQ(status_of(again), 304);
  EXPECT_EQ(header(again, "ETag"), etag);
  EXPECT_EQ(header(again, "Cache-Control"), header(first, "Cache-Control"));
  EXPECT_EQ(body(again), "");
  EXPECT_EQ(status("/v1/images/5.png", "If-None-Match: \"other\"\r\n"), 200);
  EXPECT_EQ(header(get("/v1/images/5.png?epoch=5"), "ETag"), etag);  // the same weights
  EXPECT_NE(header(get("/v1/images/5.png?epoch=2"), "ETag"), etag);
  const std::string head = get("/v1/images/5.png", "", "HEAD");
  EXPECT_EQ(header(head, "ETag"), etag);
  EXPECT_EQ(header(head, "Content-Length"), std::to_string(body(first).size()));
  EXPECT_EQ(body(head), "");
  // The tag is known before the picture: none is made for this one.
  const size_t batches = provider_.model()->batches().size();
  EXPECT_EQ(status("/v1/images/999.png", "If-None-Match: *\r\n"), 304);
  EXPECT_EQ(provider_.model()->batches().size(), batches);
}

// Also where no run is followed: the server may be started again with another model.
TEST_F(ServiceCaching, OnlyAnAddressThatNamesTheModelIsKeptForGood) {
  for (const bool follows : {false, true}) {
    provider_.follows = follows;
    start();
    for (const char* target : kPictures) {
      EXPECT_EQ(caching(target), kRevalidate) << target;
      EXPECT_EQ(caching(with(target, "epoch=2")), kRevalidate) << target;  // may be trained again
      EXPECT_EQ(caching(with(target, named_model())), kImmutable) << target;
      const std::string etag = header(get(target), "ETag");
      EXPECT_EQ(status(target, "If-None-Match: " + etag + "\r\n"), 304) << target;
    }
  }
}

TEST_F(ServiceCaching, ANewModelIsSeenAtOnce) {
  start();
  const std::string named = "/v1/images/5.png?" + named_model();
  const std::string before = get("/v1/images/5.png");
  provider_.become_ready(6);
  const std::string after = get("/v1/images/5.png", "If-None-Match: " + header(before, "ETag") + "\r\n");
  EXPECT_EQ(status_of(after), 200);
  EXPECT_NE(body(after), body(before));
  const std::string gone = get(named);
  EXPECT_EQ(status_of(gone), 404);
  EXPECT_EQ(header(gone, "Cache-Control"), kNoStore);
  EXPECT_NE(gone.find("another model"), std::string::npos);
}

TEST_F(ServiceCaching, VersionedAssetsAreImmutable) {
  start();
  const std::string target = asset();
  ASSERT_NE(target.find("?v="), std::string::npos) << target;
  EXPECT_EQ(caching(target), kImmutable);
  const std::string plain = target.substr(0, target.find('?'));
  EXPECT_EQ(caching(plain), kRevalidate);
  EXPECT_EQ(caching(plain + "?v=0123456789abcdef"), kRevalidate);
  EXPECT_EQ(status(target, "If-None-Match: " + header(get(target), "ETag") + "\r\n"), 304);
  for (const char* page : {"/docs", "/openapi.json"}) EXPECT_EQ(caching(page), kRevalidate) << page;
  EXPECT_EQ(caching("/", "Accept: text/html\r\n"), kRevalidate);
}

TEST_F(ServiceCaching, WhatChangesByItselfIsNotKept) {
  start();
  for (const char* target : {"/gan_imgs", "/gan_gifs", "/health", "/", "/livez", "/readyz", "/metrics",
                             "/v1/model", "/v1/checkpoints", "/v1/limits", "/v1/run", "/v1/images/random.png",
                             "/v1/grid.png?n=4", "/v1/images/x.png", "/v1/images/5.png?epoch=77", "/nothing"})
    EXPECT_EQ(caching(target), kNoStore) << target;
}

// A shared cache would give to strangers what it got for somebody with the token.
TEST_F(ServiceCaching, BehindATokenOnlyTheBrowserMayKeepAnything) {
  start_with_token();
  const std::string versioned = asset(kToken);
  EXPECT_EQ(caching(versioned, kToken), "private, max-age=31536000, immutable");
  EXPECT_EQ(caching("/docs", kToken), "private, no-cache");
  EXPECT_EQ(caching("/", std::string(kToken) + "Accept: text/html\r\n"), "private, no-cache");
  for (const char* target : kPictures) {
    EXPECT_EQ(caching(target, kToken), "private, no-cache") << target;
    EXPECT_EQ(caching(with(target, named_model()), kToken), "private, max-age=31536000, immutable") << target;
    const std::string etag = header(get(target, kToken), "ETag");
    const std::string unchanged = get(target, std::string(kToken) + "If-None-Match: " + etag + "\r\n");
    EXPECT_EQ(status_of(unchanged), 304) << target;
    EXPECT_EQ(header(unchanged, "Cache-Control"), "private, no-cache") << target;
    EXPECT_EQ(caching(target), kNoStore) << target;  // the refusal
  }
  EXPECT_EQ(caching("/gan_imgs", kToken), kNoStore);
  EXPECT_EQ(caching("/v1/model", kToken), kNoStore);
}

}  // namespace
}  // namespace nowhere
