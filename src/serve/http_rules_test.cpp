#include "serve/http_rules.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(HttpRules, Etags) {
  const std::string etag = etag_of("a");
  EXPECT_EQ(etag.size(), 34u);
  EXPECT_NE(etag, etag_of("b"));
  EXPECT_TRUE(matches_etag(etag, etag));
  EXPECT_TRUE(matches_etag("\"x\", W/" + etag + " , \"y\"", etag));
  EXPECT_TRUE(matches_etag("*", etag));
  EXPECT_FALSE(matches_etag("", etag));
  EXPECT_FALSE(matches_etag("\"x\"", etag));
  EXPECT_FALSE(matches_etag(etag.substr(1, 32), etag));
}

TEST(HttpRules, AClientThatHasTheBodyGetsNone) {
  const std::string etag = etag_of("a");
  const HttpResponse fresh = cacheable_response("", etag, kImmutable, "image/png", std::string("bytes"));
  EXPECT_EQ(fresh.status, 200);
  EXPECT_EQ(fresh.body.bytes().size(), 5u);
  const HttpResponse known = cacheable_response(etag, etag, kImmutable, "image/png", std::string("bytes"));
  EXPECT_EQ(known.status, 304);
  EXPECT_TRUE(known.body.bytes().empty());
  EXPECT_EQ(known.headers, fresh.headers);
}

TEST(HttpRules, Tokens) {
  EXPECT_TRUE(has_token("Bearer 0123456789abcdef", "0123456789abcdef"));
  EXPECT_TRUE(has_token("bearer 0123456789abcdef", "0123456789abcdef"));
  for (const char* wrong :
       {"", "Bearer", "Bearer ", "0123456789abcdef", "Basic 0123456789abcdef", "Bearer 0123456789abcde",
        "Bearer 0123456789abcdeg", "Bearer  0123456789abcdef", "Bearer 0123456789abcdef0123456789abcdef"})
    EXPECT_FALSE(has_token(wrong, "0123456789abcdef")) << wrong;
}

TEST(HttpRules, AllHeadersCanBeSent) {
  EXPECT_TRUE(sendable(security_headers()));
}

TEST(HttpRules, PrivateResponses) {
  const auto kept = [](HttpHeaders headers) {
    keep_private(headers);
    return headers;
  };
  EXPECT_EQ(kept({{"ETag", "public"}, {"Cache-Control", kImmutable}}),
            (HttpHeaders{{"ETag", "public"}, {"Cache-Control", "private, max-age=31536000, immutable"}}));
  EXPECT_EQ(kept({{"Cache-Control", kRevalidate}}), (HttpHeaders{{"Cache-Control", "private, no-cache"}}));
  EXPECT_EQ(kept({{"Cache-Control", kNoStore}}), (HttpHeaders{{"Cache-Control", kNoStore}}));
  EXPECT_EQ(kept({}), (HttpHeaders{{"Cache-Control", kNoStore}}));  // says nothing, so nothing is kept
}

}  // namespace
}  // namespace nowhere
