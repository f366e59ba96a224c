#include "net/http.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

std::string text_of(const HttpBody& body) {
  return {body.bytes().begin(), body.bytes().end()};
}

TEST(Http, TargetsAreSplitAsTheyAre) {
  const auto split = [](std::string_view target) {
    HttpRequest request;
    if (!set_target(request, target)) return std::string("refused");
    EXPECT_EQ(request.target, target);
    return request.path + " " + request.query;
  };
  EXPECT_EQ(split("/"), "/ ");
  EXPECT_EQ(split("/a/b?c=d&e"), "/a/b c=d&e");
  EXPECT_EQ(split("/a%20b?"), "/a%20b ");
  EXPECT_EQ(split("/a?b?c"), "/a b?c");
  EXPECT_EQ(split("http://host:80/a?b"), "/a b");
  EXPECT_EQ(split("HTTP://host"), "/ ");
  EXPECT_EQ(split("http://host?b"), "/ b");
  EXPECT_EQ(split("*"), "* ");
  EXPECT_EQ(split("host:443"), "refused");
  EXPECT_EQ(split("../etc"), "refused");
  EXPECT_EQ(split(""), "refused");
}

TEST(Http, HeadersAreFoundInAnyCase) {
  const HttpRequest request{.headers = {{"Accept", "image/png"}, {"X-A", ""}, {"accept", "other"}}};
  EXPECT_EQ(request.header("ACCEPT"), "image/png");
  EXPECT_EQ(request.header("Range"), "");
}

TEST(Http, ErrorsHaveOneShape) {
  const HttpResponse response = error_response(404, "not \"found\"");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(text_of(response.body), "{\"error\":{\"status\":404,\"message\":\"not \\\"found\\\"\"}}\n");
  EXPECT_EQ(method_not_allowed("GET, HEAD").headers.back(),
            (std::pair<std::string, std::string>("Allow", "GET, HEAD")));
}

TEST(Http, BodiesShareTheirBytes) {
  const HttpBody text(std::string("abc"));
  const HttpBody copy = text;
  EXPECT_EQ(text_of(copy), "abc");
  EXPECT_EQ(copy.bytes().data(), text.bytes().data());
  EXPECT_EQ(text_of(HttpBody(std::vector<uint8_t>{'x', 'y'})), "xy");
  EXPECT_EQ(text_of(HttpBody()), "");
}

TEST(Http, ValuesCannotEndTheirLine) {
  EXPECT_TRUE(sendable({{"ETag", "\"a b\""}, {"X_1", ""}}));
  EXPECT_FALSE(sendable({{"Location", "/a\r\nSet-Cookie: b"}}));
  EXPECT_FALSE(sendable({{"Location", std::string("a\0b", 3)}}));
  EXPECT_FALSE(sendable({{"A: b", "c"}}));
  EXPECT_FALSE(sendable({{"", "c"}}));
}

}  // namespace
}  // namespace nowhere
