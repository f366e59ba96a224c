// Handlers that respond later, from other threads.
#include <gtest/gtest.h>

#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "net/server.h"
#include "net/test_client.h"
#include "net/test_echo.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;

// Keeps the function that responds, for the test to call.
class DeferringHandler {
 public:
  HttpReply handle(const HttpRequest& request) {
    if (request.path == "/now") return HttpResponse{.body = std::string("now")};
    if (request.path == "/at-once")
      return HttpReply([](const HttpRespond& respond) { respond({.body = std::string("at once")}); });
    if (request.path == "/throws")
      return HttpReply([](const HttpRespond&) { throw std::runtime_error("no"); });
    return HttpReply([this](HttpRespond respond) { waiting_.set_value(std::move(respond)); });
  }
  // Of the one request that waits.
  HttpRespond waiting() { return waiting_.get_future().get(); }

 private:
  std::promise<HttpRespond> waiting_;
};

HttpHandler bind(DeferringHandler& handler) {
  return [&handler](const HttpRequest& request) { return handler.handle(request); };
}

constexpr std::string_view kWaits = "GET /waits HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(ServerLater, OtherRequestsAreServedMeanwhile) {
  DeferringHandler handler;
  HttpServer server({.threads = 1}, bind(handler));
  TestClient slow(server.port());
  slow.send(kWaits);
  const HttpRespond respond = handler.waiting();
  TestClient quick(server.port());
  EXPECT_TRUE(quick.get("/now").ends_with("\r\n\r\nnow"));
  EXPECT_TRUE(quick.get("/at-once").ends_with("\r\n\r\nat once"));
  std::jthread([&] { respond({.body = std::string("later")}); }).join();
  EXPECT_TRUE(slow.response().ends_with("\r\n\r\nlater"));
  respond({.body = std::string("twice")});  // has no effect
  EXPECT_TRUE(slow.get("/now").ends_with("\r\n\r\nnow"));
}

TEST(ServerLater, AResponseThatIsTooLateIsDropped) {
  DeferringHandler handler;
  HttpRespond respond;
  {
    HttpServer server({.answer_deadline = 20ms}, bind(handler));
    TestClient client(server.port());
    const std::string response = client.get("/waits");
    EXPECT_TRUE(response.starts_with("HTTP/1.1 503 ")) << response;
    EXPECT_TRUE(contains(response, "Retry-After: 1\r\n")) << response;
    respond = handler.waiting();
    respond({.body = std::string("late")});
    EXPECT_TRUE(client.get("/now").ends_with("\r\n\r\nnow"));
  }
  respond({.body = std::string("after the server has stopped")});
}

TEST(ServerLater, AnExceptionIsAnswered500) {
  DeferringHandler handler;
  HttpServer server({}, bind(handler));
  EXPECT_TRUE(TestClient(server.port()).get("/throws").starts_with("HTTP/1.1 500 "));
}

TEST(ServerLater, StoppingWaitsForTheResponse) {
  DeferringHandler handler;
  HttpServer server({.drain_deadline = 5min}, bind(handler));
  TestClient client(server.port());
  client.send(kWaits);
  const HttpRespond respond = handler.waiting();
  std::jthread stopping([&] { server.stop(); });
  respond({.body = std::string("done")});
  EXPECT_TRUE(client.rest().ends_with("\r\n\r\ndone"));
}

TEST(ServerLater, StoppingDoesNotWaitForEver) {
  DeferringHandler handler;
  HttpServer server({.answer_deadline = 5min, .drain_deadline = 20ms}, bind(handler));
  TestClient client(server.port());
  client.send(kWaits);
  const HttpRespond respond = handler.waiting();
  server.stop();
  EXPECT_EQ(client.rest(), "");
  respond({.body = std::string("nobody waits")});
}

TEST(ServerLater, ManyResponsesFromManyThreads) {
  std::mutex mutex;
  std::vector<std::jthread> answering;
  HttpServer server({.threads = 3}, [&](const HttpRequest& request) {
    return HttpReply([&, path = request.path](const HttpRespond& respond) {
      const std::lock_guard lock(mutex);
      answering.emplace_back([respond, path] { respond({.body = path}); });
    });
  });
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([port = server.port(), i] {
      TestClient client(port);
      for (int request = 0; request < 50; ++request) {
        const std::string path = "/" + std::to_string(i * 100 + request);
        EXPECT_TRUE(client.get(path).ends_with("\r\n\r\n" + path));
      }
    });
  clients.clear();
  server.stop();
}

TEST(ServerResponses, AreReportedAndCarryTheCommonHeaders) {
  std::mutex mutex;
  std::vector<std::string> reported;
  ServerConfig config;
  config.headers = {{"X-Common", "yes"}, {"X-From", "nowhere"}};
  config.on_response = [&](const HttpRequest& request, const HttpResponse& response, double seconds) {
    const std::lock_guard lock(mutex);
    EXPECT_GE(seconds, 0);
    reported.push_back(request.remote_address + request.path + " " + std::to_string(response.status));
  };
  HttpServer server(config, echo);
  const std::string response = TestClient(server.port()).get("/a");
  EXPECT_TRUE(contains(response, "X-Common: yes\r\n"));
  EXPECT_TRUE(contains(response, "X-From: 127.0.0.1\r\n"));  // its own
  EXPECT_FALSE(contains(response, "X-From: nowhere\r\n"));
  TestClient wrong(server.port());
  wrong.send("no request\r\n\r\n");
  EXPECT_TRUE(contains(wrong.rest(), "X-Common: yes\r\n"));
  server.stop();
  EXPECT_EQ(reported, (std::vector<std::string>{"127.0.0.1/a 200", "127.0.0.1 400"}));
}

}  // namespace
}  // namespace nowhere
