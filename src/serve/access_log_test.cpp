#include "serve/access_log.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

HttpRequest request(const std::string& target, const std::string& route) {
  HttpRequest request;
  request.method = "GET";
  request.remote_address = "192.0.2.7";
  request.route = route;
  set_target(request, target);
  return request;
}

TEST(AccessLog, ALineHasEveryField) {
  const HttpResponse response{.status = 200, .body = std::string("12345")};
  EXPECT_EQ(access_line(request("/v1/images/5.png?epoch=2", "image"), response, 0.01234, 1'700'000'000'042),
            "{\"time\":\"2023-11-14T22:13:20.042Z\",\"remote\":\"192.0.2.7\",\"method\":\"GET\",\"route\":"
            "\"image\","
            "\"path\":\"/v1/images/5.png?epoch=2\",\"status\":200,\"bytes\":5,\"milliseconds\":12.3}");
}

TEST(AccessLog, TextFromClientsIsEscapedAndBounded) {
  const std::string line = access_line(request("/\"\n\xff" + std::string(10'000, 'x'), "none"), {}, 0, 0);
  EXPECT_LT(line.size(), 1000u);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(boost::json::parse(line).is_object());
}

TEST(AccessLog, LinesOfManyThreadsAreWhole) {
  const TestFolder folder;
  const std::string path = folder.path() / "access.jsonl";
  {
    AccessLog log(path);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) log.write(request("/livez", "livez"), {}, 0.001);
      });
  }
  std::ifstream file(path);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) EXPECT_TRUE(boost::json::parse(line).is_object());
  EXPECT_EQ(lines, 200);
  EXPECT_THROW(AccessLog((folder.path() / "none" / "log").string()), Error);
}

}  // namespace
}  // namespace nowhere
