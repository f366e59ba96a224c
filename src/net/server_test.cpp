#include "net/server.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/random.h"
#include "net/test_client.h"
#include "net/test_echo.h"

namespace nowhere {
namespace {

class Server : public testing::Test {
 protected:
  HttpServer server_{{}, echo};
};

TEST_F(Server, AnswersAGet) {
  TestClient client(server_.port());
  client.send("GET /a/b?c=%20 HTTP/1.1\r\nHost: x\r\nX-Test: yes\r\n\r\n");
  const std::string response = client.response();
  EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n")) << response;
  EXPECT_TRUE(response.ends_with("\r\n\r\nGET|/a/b|c=%20|yes|")) << response;
  EXPECT_TRUE(contains(response, "Content-Type: text/plain; charset=utf-8\r\n")) << response;
  EXPECT_TRUE(contains(response, "X-From: 127.0.0.1\r\n")) << response;
  EXPECT_TRUE(contains(response, "Date: ")) << response;
}

TEST_F(Server, HeadGetsTheHeadersOnly) {
  TestClient client(server_.port());
  const std::string response = client.get("/a", "HEAD");
  EXPECT_TRUE(contains(response, "Content-Length: 10\r\n")) << response;  // "HEAD|/a|||"
  EXPECT_TRUE(client.get("/b").ends_with("GET|/b|||"));                   // nothing in between
}

TEST_F(Server, AConnectionServesManyRequests) {
  TestClient client(server_.port());
  for (int i = 0; i < 20; ++i) {
    const std::string path = "/" + std::to_string(i);
    EXPECT_TRUE(client.get(path).ends_with("GET|" + path + "|||"));
  }
  EXPECT_EQ(server_.connections(), 1u);
}

TEST_F(Server, RequestsMayComeTogether) {
  TestClient client(server_.port());
  client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.response().ends_with("GET|/1|||"));
  const std::string last = client.response();
  EXPECT_TRUE(last.ends_with("GET|/2|||")) << last;
  EXPECT_TRUE(contains(last, "Connection: close\r\n")) << last;
  EXPECT_EQ(client.rest(), "");
}

TEST_F(Server, OldClientsAreAnsweredOnce) {
  TestClient client(server_.port());
  client.send("GET /old HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(client.rest().ends_with("GET|/old|||"));
}

TEST_F(Server, BodiesArrive) {
  TestClient client(server_.port());
  client.send("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_TRUE(client.response().ends_with("POST|/p|||hello"));
  client.send("POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  EXPECT_TRUE(client.response().ends_with("POST|/p|||abc"));
  client.send("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.response(true), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("xyz");
  EXPECT_TRUE(client.response().ends_with("POST|/p|||xyz"));
}

TEST_F(Server, LargeResponsesArriveWhole) {
  TestClient client(server_.port());
  const std::string response = client.get("/large");
  EXPECT_EQ(response.size() - response.find("\r\n\r\n") - 4, 5'000'000u);
}

TEST_F(Server, SomeResponsesHaveNoBody) {
  TestClient client(server_.port());
  const std::string response = client.get("/unchanged", "HEAD");
  EXPECT_TRUE(response.starts_with("HTTP/1.1 304 Not Modified\r\n")) << response;
  EXPECT_FALSE(contains(response, "Content-Length")) << response;
  EXPECT_TRUE(client.get("/b").ends_with("GET|/b|||"));
}

TEST_F(Server, MalformedRequestsAreRefused) {
  for (const std::string_view request :
       {"nonsense\r\n\r\n", "GET / HTTP/3.7\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",                                                          // no host
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",                                    // which?
        "CONNECT host:443 HTTP/1.1\r\nHost: a\r\n\r\n",                                    // not a proxy
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",  // which?
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a client that speaks TLS"}) {
    TestClient client(server_.port());
    client.send(request);
    const std::string response = client.rest();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 400 Bad Request\r\n")) << request << "\n" << response;
    EXPECT_EQ(response.find("HTTP/1.1", 1), std::string::npos) << response;  // nothing else was understood
    EXPECT_TRUE(contains(response, "Connection: close\r\n")) << response;
    EXPECT_TRUE(contains(response, "\"message\":\"malformed request\"")) << response;
  }
}

TEST_F(Server, RequestsThatAreTooLargeAreRefused) {
  TestClient headers(server_.port());
  headers.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(9000, 'a') + "\r\n\r\n");
  EXPECT_TRUE(headers.rest().starts_with("HTTP/1.1 431 "));
  TestClient target(server_.port());
  target.send("GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(target.rest().starts_with("HTTP/1.1 431 "));
  TestClient body(server_.port());
  body.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  EXPECT_TRUE(body.rest().starts_with("HTTP/1.1 413 "));
  TestClient chunks(server_.port());
  chunks.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n" +
              std::string(0x20000, 'b'));
  EXPECT_TRUE(chunks.rest().starts_with("HTTP/1.1 413 "));
}

// Every request is answered or its connection closed, and the next client is served.
TEST_F(Server, DamagedRequestsAffectNobodyElse) {
  const std::string whole =
      "POST /a?b=c HTTP/1.1\r\nHost: x\r\nX-Test: y\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
  for (uint64_t round = 0; round < 300; ++round) {
    Random random(round, Purpose::kShuffle);
    std::string request = whole;
    for (uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
      const size_t at = random.below(request.size());
      if (random.chance(0.5))
        request[at] = static_cast<char>(random.below(256));
      else
        request.erase(at, 1 + random.below(8));
    }
    TestClient client(server_.port());
    client.send(request);
    client.finish();
    const std::string response = client.rest();
    EXPECT_TRUE(response.empty() || response.starts_with("HTTP/1.1 ")) << request << "\n" << response;
  }
  EXPECT_TRUE(TestClient(server_.port()).get("/b").ends_with("GET|/b|||"));
}

}  // namespace
}  // namespace nowhere
