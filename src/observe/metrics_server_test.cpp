#include "observe/metrics_server.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "net/test_client.h"

namespace nowhere {
namespace {

class MetricsServing : public testing::Test {
 protected:
  Metrics metrics_;
  MetricsServer server_{metrics_, "127.0.0.1", 0};
  TestClient client_{server_.port()};
};

TEST_F(MetricsServing, TheCurrentText) {
  for (const char* images : {"64", "128"}) {
    metrics_.add("nowhere_images_total", "Images seen.", 64);
    const std::string response = client_.get("/metrics");
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n")) << response;
    EXPECT_NE(response.find("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"), std::string::npos);
    EXPECT_NE(response.find(std::string("\nnowhere_images_total ") + images + "\n"), std::string::npos)
        << response;
  }
  EXPECT_TRUE(client_.get("/metrics", "HEAD").ends_with("\r\n\r\n"));
  EXPECT_TRUE(client_.get("/metrics?x=y").starts_with("HTTP/1.1 200 "));
}

TEST_F(MetricsServing, Alive) {
  EXPECT_TRUE(client_.get("/livez").ends_with("\r\n\r\nok\n"));
}

TEST_F(MetricsServing, OtherPathsAndMethods) {
  EXPECT_TRUE(client_.get("/").starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(client_.get("/metrics/").starts_with("HTTP/1.1 404 "));
  const std::string refused = client_.get("/metrics", "DELETE");
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 405 ")) << refused;
  EXPECT_NE(refused.find("Allow: GET, HEAD\r\n"), std::string::npos) << refused;
}

TEST_F(MetricsServing, AnErrorAboutATakenPortNamesTheOption) {
  try {
    const MetricsServer second(metrics_, "127.0.0.1", server_.port());
    FAIL() << "two on one port";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    EXPECT_NE(std::string(error.what()).find("give another --metrics-port"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace nowhere
