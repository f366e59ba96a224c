// How the server starts, stops, and treats clients that ask too much of it.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/error.h"
#include "net/server.h"
#include "net/test_client.h"
#include "net/test_echo.h"

namespace nowhere {
namespace {

TEST(ServerLimits, ExceptionsOfHandlersStayInside) {
  std::mutex mutex;
  std::vector<std::string> reported;
  ServerConfig config;
  config.on_handler_error = [&](const std::string& what) {
    const std::lock_guard lock(mutex);
    reported.push_back(what);
  };
  HttpServer server(config, echo);
  TestClient client(server.port());
  for (const std::string_view path : {"/throw", "/throw-int", "/bad-header", "/bad-status"}) {
    const std::string response = client.get(path);
    EXPECT_TRUE(response.starts_with("HTTP/1.1 500 Internal Server Error\r\n")) << path << "\n" << response;
    EXPECT_TRUE(response.ends_with("{\"error\":{\"status\":500,\"message\":\"internal error\"}}\n"))
        << response;
  }
  EXPECT_TRUE(client.get("/b").ends_with("GET|/b|||"));  // and the connection stays open
  server.stop();
  ASSERT_EQ(reported.size(), 4u);
  EXPECT_EQ(reported[0], "a secret");
}

TEST(ServerLimits, TooManyConnections) {
  HttpServer server({.max_connections = 2}, echo);
  TestClient first(server.port());
  EXPECT_TRUE(first.get("/1").ends_with("GET|/1|||"));
  {
    TestClient second(server.port());
    EXPECT_TRUE(second.get("/2").ends_with("GET|/2|||"));
    TestClient third(server.port());
    const std::string refusal = third.rest();
    EXPECT_TRUE(refusal.starts_with("HTTP/1.1 503 Service Unavailable\r\n")) << refusal;
    EXPECT_TRUE(contains(refusal, "Retry-After: 1\r\n")) << refusal;
    EXPECT_TRUE(second.get("/2").ends_with("GET|/2|||"));
  }
  while (server.connections() > 1) std::this_thread::yield();
  TestClient fourth(server.port());  // there is room again
  EXPECT_TRUE(fourth.get("/4").ends_with("GET|/4|||"));
}

TEST(ServerLimits, TooManyConnectionsOfOneClient) {
  HttpServer server({.max_connections_per_address = 1}, echo);
  TestClient first(server.port());
  EXPECT_TRUE(first.get("/1").ends_with("GET|/1|||"));
  EXPECT_TRUE(TestClient(server.port()).rest().starts_with("HTTP/1.1 503 "));
}

TEST(ServerLimits, SlowClientsAreClosed) {
  using namespace std::chrono_literals;
  HttpServer idle({.idle_deadline = 20ms}, echo);
  EXPECT_EQ(TestClient(idle.port()).rest(), "");

  HttpServer impatient({.request_deadline = 20ms}, echo);
  TestClient half(impatient.port());
  half.send("GET / HTTP/1.1\r\nHost:");
  EXPECT_EQ(half.rest(), "");
  TestClient no_body(impatient.port());
  no_body.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12");
  EXPECT_EQ(no_body.rest(), "");

  const std::string large(100'000'000, 'x');  // more than the system's buffers hold
  HttpServer writing({.write_deadline = 20ms},
                     [&](const HttpRequest&) { return HttpResponse{.body = large}; });
  TestClient stalled(writing.port());
  stalled.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  while (writing.connections() == 0) std::this_thread::yield();
  while (writing.connections() > 0) std::this_thread::yield();
  EXPECT_LT(stalled.rest().size(), large.size());
}

TEST(ServerStop, ClosesIdleConnections) {
  HttpServer server({}, echo);
  TestClient silent(server.port());
  TestClient used(server.port());
  used.get("/");
  server.stop();
  server.stop();  // nothing more to do
  EXPECT_EQ(silent.rest(), "");
  EXPECT_EQ(used.rest(), "");
  EXPECT_EQ(server.connections(), 0u);
  EXPECT_THROW(TestClient(server.port()), std::runtime_error);
}

// Holds its requests until it is opened.
class Gate {
 public:
  HttpResponse handle(const HttpRequest&) {
    entered_.store(true);
    entered_.notify_all();
    open_.wait(false);
    return {.body = std::string("done")};
  }
  void wait_until_entered() { entered_.wait(false); }
  void open() {
    open_.store(true);
    open_.notify_all();
  }

 private:
  std::atomic<bool> entered_ = false;
  std::atomic<bool> open_ = false;
};

TEST(ServerStop, LetsARequestFinish) {
  Gate gate;
  HttpServer server({.drain_deadline = std::chrono::minutes(5)},
                    [&](const HttpRequest& request) { return gate.handle(request); });
  TestClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  gate.wait_until_entered();
  std::jthread stopping([&] { server.stop(); });
  gate.open();
  const std::string response = client.rest();
  EXPECT_TRUE(response.ends_with("\r\n\r\ndone")) << response;
}

TEST(ServerStop, ClosesUnfinishedRequests) {
  using namespace std::chrono_literals;
  HttpServer server({.drain_deadline = 20ms}, echo);
  TestClient client(server.port());
  // Half of a second request has arrived with the first, and the rest would be waited for until
  // request_deadline.
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost:");
  client.response();
  server.stop();
  EXPECT_EQ(client.rest(), "");
}

TEST(ServerStop, ManyClientsWhileItStops) {
  std::vector<std::jthread> clients;
  HttpServer server({.threads = 3}, echo);
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([port = server.port()] {
      try {
        for (int request = 0; request < 500; ++request) TestClient(port).get("/");
      } catch (const std::runtime_error&) {  // it stopped listening
      }
    });
  TestClient client(server.port());
  for (int i = 0; i < 50; ++i) client.get("/");
  server.stop();
  EXPECT_EQ(server.connections(), 0u);
}

Exit exit_of(const ServerConfig& config, std::string& message) {
  try {
    HttpServer server(config, echo);
  } catch (const Error& error) {
    message = error.what();
    return error.exit();
  }
  return Exit::kDone;
}

TEST(ServerStart, SaysWhyItCannotListen) {
  const HttpServer server({}, echo);
  std::string message;
  EXPECT_EQ(exit_of({.port = server.port(), .port_option = "--metrics-port"}, message), Exit::kUsage);
  EXPECT_EQ(message,
            "port " + std::to_string(server.port()) + " on 127.0.0.1 is taken; give another --metrics-port");
  EXPECT_EQ(exit_of({.host = "192.0.2.1"}, message), Exit::kUsage);
  EXPECT_EQ(message, "192.0.2.1 is not an address of this machine; give another --host");
  EXPECT_EQ(exit_of({.host = "a..b"}, message), Exit::kUsage);
  EXPECT_EQ(message, "there is no host a..b; give another --host");
}

TEST(ServerStart, APortCanBeUsedAgainAtOnce) {
  uint16_t port = 0;
  {
    HttpServer server({}, echo);
    port = server.port();
    TestClient(port).get("/");
  }
  const HttpServer again({.port = port}, echo);
  EXPECT_TRUE(TestClient(port).get("/x").ends_with("GET|/x|||"));
}

}  // namespace
}  // namespace nowhere
