// The whole service over a socket: which pages of other sites may show its pictures and read its answers.
#include "serve/service_fixture.h"

namespace nowhere {
namespace {

constexpr const char* kOfTheReference[] = {"/gan_imgs", "/gan_gifs?t=0.5", "/health", "/"};
constexpr const char* kOurs[] = {"/v1/images/5.png", "/v1/model", "/metrics", "/docs", "/nothing", "/livez"};
constexpr const char* kSecret = "0123456789abcdef";

class ServiceOrigins : public ServiceTest {
 protected:
  // As a page of another site asks.
  std::string from(const std::string& origin, std::string_view target, const std::string& headers = "",
                   std::string_view method = "GET") {
    return get(target, "Origin: " + origin + "\r\n" + headers, method);
  }
  std::string preflight(const std::string& origin, std::string_view target) {
    return from(origin, target,
                "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: cache-control\r\n",
                "OPTIONS");
  }
  static ServeConfig shared_with(std::vector<std::string> origins, std::string token = "") {
    ServeConfig shared = config();
    shared.allow_origin = std::move(origins);
    shared.token = std::move(token);
    return shared;
  }
  static void expect_readers(const std::string& response, std::string_view readers,
                             std::string_view resource_policy, std::string_view what) {
    EXPECT_EQ(header(response, "Access-Control-Allow-Origin"), readers) << what;
    EXPECT_EQ(header(response, "Cross-Origin-Resource-Policy"), resource_policy) << what;
    EXPECT_EQ(header(response, "Access-Control-Allow-Credentials"), "") << what;
    // Once: a browser that finds two of them obeys neither, or the wrong one.
    for (const char* once :
         {"\r\nCross-Origin-Resource-Policy: ", "\r\nAccess-Control-Allow-Origin: ", "\r\nVary: "})
      EXPECT_EQ(response.find(once), response.rfind(once, response.find("\r\n\r\n"))) << what << once;
  }
};

TEST_F(ServiceOrigins, EveryPageMayUseTheRoutesOfTheReference) {
  start();
  for (const char* target : kOfTheReference) {
    const std::string response = from("https://a.example", target);
    EXPECT_EQ(status_of(response), 200) << target;
    expect_readers(response, "*", "cross-origin", target);
    EXPECT_EQ(header(response, "Cache-Control"), "no-store") << target;
    expect_readers(get(target), "*", "cross-origin", target);  // as an <img> asks, without an origin
    const std::string may = preflight("https://a.example", target);
    EXPECT_EQ(status_of(may), 204) << target;
    expect_readers(may, "*", "cross-origin", target);
    EXPECT_EQ(header(may, "Access-Control-Allow-Methods"), "GET, HEAD") << target;
    EXPECT_EQ(header(may, "Access-Control-Allow-Headers"), "Authorization, *") << target;
    EXPECT_EQ(header(may, "Access-Control-Max-Age"), "600") << target;
  }
  EXPECT_EQ(header(get("/"), "Vary"), "Accept");
  EXPECT_EQ(header(get("/gan_imgs"), "Vary"), "");  // the same for every origin
}

TEST_F(ServiceOrigins, RefusalsOfTheRoutesOfTheReferenceCanBeReadToo) {
  FakeModelProvider empty(/*ready=*/false);
  const Service service(config(), empty);
  TestClient client(service.port());
  client.send(asking("/gan_imgs", "Origin: https://a.example\r\n"));
  const std::string early = client.response();
  EXPECT_EQ(status_of(early), 503);
  expect_readers(early, "*", "cross-origin", "/gan_imgs");
  EXPECT_EQ(header(early, "Access-Control-Expose-Headers"), "ETag, Retry-After");
}

TEST_F(ServiceOrigins, OtherRoutesAreForOurOwnPages) {
  start();
  for (const char* target : kOurs) {
    expect_readers(from("https://a.example", target), "", "same-origin", target);
    EXPECT_GE(status_of(preflight("https://a.example", target)), 400) << target;
  }
}

TEST_F(ServiceOrigins, AStarOpensEveryRoute) {
  start(shared_with({"*"}));
  for (const char* target : kOfTheReference)
    expect_readers(from("https://a.example", target), "*", "cross-origin", target);
  for (const char* target : kOurs) {
    const std::string response = from("https://a.example", target);
    expect_readers(response, "*", "cross-origin", target);
    EXPECT_EQ(header(response, "Vary"), "") << target;
    EXPECT_EQ(header(response, "Access-Control-Expose-Headers"), "ETag, Retry-After") << target;
    EXPECT_EQ(status_of(preflight("https://a.example", target)), 204) << target;
  }
}

TEST_F(ServiceOrigins, OnlyKnownOriginsMayRead) {
  start(shared_with({"https://a.example", "https://b.example"}));
  for (const char* target : {"/gan_imgs", "/health", "/v1/images/5.png", "/v1/model", "/nothing"}) {
    const std::string known = from("https://b.example", target);
    expect_readers(known, "https://b.example", "cross-origin", target);
    EXPECT_EQ(header(known, "Vary"), "Origin") << target;
    const std::string unknown = from("https://c.example", target);
    expect_readers(unknown, "", "cross-origin", target);
    EXPECT_EQ(header(unknown, "Vary"), "Origin") << target;
    const std::string nobody = get(target);  // an <img> of a known site does not say where it stands
    expect_readers(nobody, "", "cross-origin", target);
    EXPECT_EQ(header(nobody, "Vary"), "Origin") << target;
  }
  EXPECT_EQ(header(get("/"), "Vary"), "Accept, Origin");
  EXPECT_EQ(status_of(preflight("https://a.example", "/v1/model")), 204);
  const std::string refused = preflight("https://c.example", "/v1/model");
  EXPECT_EQ(status_of(refused), 405);
  expect_readers(refused, "", "cross-origin", "a preflight of an unknown origin");
}

TEST_F(ServiceOrigins, AServerWithATokenIsForOurOwnPages) {
  start(shared_with({}, kSecret));
  const std::string token = std::string("Authorization: Bearer ") + kSecret + "\r\n";
  for (const char* target : kOfTheReference) {
    expect_readers(from("https://a.example", target), "", "same-origin", target);
    expect_readers(from("https://a.example", target, token), "", "same-origin", target);
    EXPECT_EQ(status_of(preflight("https://a.example", target)), 401) << target;
  }
}

TEST_F(ServiceOrigins, KnownOriginsMaySendTheToken) {
  start(shared_with({"https://a.example"}, kSecret));
  const std::string token = std::string("Authorization: Bearer ") + kSecret + "\r\n";
  EXPECT_EQ(header(preflight("https://a.example", "/gan_imgs"), "Access-Control-Allow-Headers"),
            "Authorization, *");
  const std::string known = from("https://a.example", "/gan_imgs", token);
  EXPECT_EQ(status_of(known), 200);
  // What needs a token no <img> can show: it cannot send one.
  expect_readers(known, "https://a.example", "same-origin", "/gan_imgs");
  const std::string without = from("https://a.example", "/gan_imgs");
  EXPECT_EQ(status_of(without), 401);
  expect_readers(without, "https://a.example", "same-origin", "/gan_imgs");
  expect_readers(from("https://c.example", "/gan_imgs", token), "", "same-origin", "/gan_imgs");
}

}  // namespace
}  // namespace nowhere
