// The whole service over a socket: what it refuses, and whom it answers.
#include <boost/json.hpp>

#include "serve/service_fixture.h"

namespace nowhere {
namespace {

class ServiceRefusals : public ServiceTest {};

TEST_F(ServiceRefusals, ErrorsHaveOneShape) {
  start();
  const std::pair<const char*, int> wrong[] = {{"/v1/images/-1.png", 400},
                                               {"/v1/images/01.png", 400},
                                               {"/v1/images/x.png", 400},
                                               {"/v1/images/18446744073709551616.png", 400},
                                               {"/v1/images/5.gif", 404},
                                               {"/v1/images/5", 404},
                                               {"/v1/images/5.png?x=1", 400},
                                               {"/v1/images/5.png?epoch=2&epoch=2", 400},
                                               {"/v1/images/5.png?epoch=", 400},
                                               {"/v1/images/5.png?epoch=77", 404},
                                               {"/v1/images/5.png?epoch=1", 404},
                                               {"/v1/images/5.png?truncation=1.1", 400},
                                               {"/v1/images/5.png?truncation=nan", 400},
                                               {"/v1/images/5.png?model=abc", 400},
                                               {"/v1/images/5.png?model=000000000000", 404},
                                               {"/v1/images/random.bmp", 404},
                                               {"/v1/between/1/2/1001.png", 400},
                                               {"/v1/between/1/2.png", 404},
                                               {"/v1/near/1/0.png", 400},
                                               {"/v1/near/1/65.png", 400},
                                               {"/v1/near/1/1.png?angle=1.6", 400},
                                               {"/v1/grid.png?seeds=1-65", 400},
                                               {"/v1/grid.png?seeds=1&n=0", 400},
                                               {"/v1/grid.png?n=65", 400},
                                               {"/v1/grid.png?n=0", 400},
                                               {"/v1/grid.png?seeds=1&cols=0", 400},
                                               {"/v1/grid.jpg?n=1", 404},
                                               {"/v1/morph.gif", 400},
                                               {"/v1/morph.gif?seeds=1", 400},
                                               {"/v1/morph.gif?seeds=1-9", 400},
                                               {"/v1/morph.gif?seeds=1-8&frames=65", 400},
                                               {"/assets/page.css?v=1", 400},
                                               {"/v1/morph.gif?seeds=1,2&frames=1", 400},
                                               {"/v1/morph.gif?seeds=1,2&ms=1", 400},
                                               {"/v1/model?x=1", 400},
                                               {"/nothing", 404},
                                               {"/assets/../secret", 404},
                                               {"/assets/nothing.js", 404},
                                               {"/assets/index.html", 404},
                                               {"/v1/images/5.png?epoch=4", 404}};
  for (const auto& [target, expected] : wrong) {
    const std::string response = get(target);
    EXPECT_EQ(status_of(response), expected) << target;
    const auto error = boost::json::parse(body(response)).at("error");
    EXPECT_EQ(error.at("status"), expected) << target;
    EXPECT_FALSE(error.at("message").as_string().empty()) << target;
    EXPECT_EQ(header(response, "Cache-Control"), "no-store") << target;
    EXPECT_EQ(response.find("secret"), std::string::npos) << target;
  }
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
    const std::string response = get("/v1/images/5.png", "", method);
    EXPECT_EQ(status_of(response), 405) << method;
    EXPECT_EQ(header(response, "Allow"), "GET, HEAD") << method;
  }
}

TEST_F(ServiceRefusals, EveryResponseHasTheSecurityHeaders) {
  start();
  for (const char* target : {"/livez", "/v1/images/5.png", "/nothing", "/docs", "/metrics"}) {
    const std::string response = get(target, "Origin: https://a.example\r\n");
    EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff") << target;
    EXPECT_EQ(header(response, "Referrer-Policy"), "no-referrer") << target;
    EXPECT_EQ(header(response, "Cross-Origin-Resource-Policy"), "same-origin") << target;
    EXPECT_TRUE(
        header(response, "Content-Security-Policy").starts_with("default-src 'none'; script-src 'self'; "));
    EXPECT_EQ(header(response, "Access-Control-Allow-Origin"), "") << target;
  }
}

TEST_F(ServiceRefusals, ATokenIsRequiredWhereOneIsSet) {
  ServeConfig secret = config();
  secret.token = "0123456789abcdef";
  start(secret);
  for (const char* target : {"/", "/v1/images/5.png", "/metrics", "/health", "/docs", "/nothing"}) {
    const std::string refused = get(target);
    EXPECT_EQ(status_of(refused), 401) << target;
    EXPECT_EQ(header(refused, "WWW-Authenticate"), "Bearer") << target;
    EXPECT_EQ(status(target, "Authorization: Bearer 0123456789abcdee\r\n"), 401) << target;
  }
  EXPECT_EQ(status("/v1/images/5.png", "Authorization: Bearer 0123456789abcdef\r\n"), 200);
  EXPECT_EQ(status("/livez"), 200);
  EXPECT_EQ(status("/readyz"), 200);
  const std::string metrics = get("/metrics", "Authorization: Bearer 0123456789abcdef\r\n");
  for (const char* line : {"nowhere_http_requests_total{code=\"401\",route=\"image\"} 2\n",
                           "nowhere_http_requests_total{code=\"401\",route=\"none\"} 2\n",
                           "nowhere_http_requests_total{code=\"200\",route=\"livez\"} 1\n"})
    EXPECT_NE(metrics.find(line), std::string::npos) << line << metrics;
}

}  // namespace
}  // namespace nowhere
