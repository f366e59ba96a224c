#include "s3/url.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(S3Url, HasABucketAndAPathWithoutOuterSlashes) {
  EXPECT_EQ(*parse_s3_url("s3://my-bucket"), (S3Url{"my-bucket", ""}));
  EXPECT_EQ(*parse_s3_url("s3://my-bucket/"), (S3Url{"my-bucket", ""}));
  EXPECT_EQ(*parse_s3_url("S3://my-bucket//runs/streets/"), (S3Url{"my-bucket", "runs/streets"}));
  EXPECT_EQ(parse_s3_url("s3://my-bucket/runs/streets")->text(), "s3://my-bucket/runs/streets");
  EXPECT_EQ(parse_s3_url("s3://my-bucket/a\nb")->text(), "s3://my-bucket/a\\x0ab");
}

TEST(S3Url, RefusesWhatIsNoBucket) {
  for (const char* text : {"", "s3:/x", "runs/streets", "s3://", "s3:///streets", "s3://ab", "s3://a b c/x",
                           "s3://a..b/x", "s3://.abc", "s3://user@host/x", "s3://host:80/x", "s3://-abc"})
    EXPECT_FALSE(parse_s3_url(text)) << text;
  EXPECT_FALSE(parse_s3_url("s3://bucket/" + std::string(1025, 'x')));
  EXPECT_TRUE(parse_s3_url("s3://bucket/" + std::string(1024, 'x')));
}

TEST(S3Url, IsTakenApartAndPutTogether) {
  const S3Url run{"bucket", "runs/streets"};
  EXPECT_EQ(run.below("x.pt"), (S3Url{"bucket", "runs/streets/x.pt"}));
  EXPECT_EQ((S3Url{"bucket", ""}).below("x.pt"), (S3Url{"bucket", "x.pt"}));
  EXPECT_EQ(run.folder_and_file(), std::pair(S3Url{"bucket", "runs"}, std::string("streets")));
  EXPECT_EQ((S3Url{"bucket", "x.pt"}).folder_and_file(), std::pair(S3Url{"bucket", ""}, std::string("x.pt")));
}

TEST(Escaping, LeavesOnlyWhatSignaturesLeave) {
  EXPECT_EQ(escape_url("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(escape_url("a/b c+d=e&f%"), "a%2Fb%20c%2Bd%3De%26f%25");
  EXPECT_EQ(escape_key("a/\xc3\xa4 b"), "a/%C3%A4%20b");
}

TEST(Escaping, OfEveryByteIsTakenBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(unescape_url(escape_url(all)), all);
  EXPECT_EQ(unescape_url("a+b%2B%zz%4"), "a b+%zz%4");
}

TEST(Query, IsSortedAndNamesWithoutValueKeepTheirSign) {
  EXPECT_EQ(query_text({{"uploads", ""}, {"prefix", "a b/"}, {"delimiter", "/"}}),
            "delimiter=%2F&prefix=a%20b%2F&uploads=");
}

}  // namespace
}  // namespace nowhere
