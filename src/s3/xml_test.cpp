#include "s3/xml.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "s3/digest.h"

namespace nowhere {
namespace {

TEST(Xml, AListHasItsKeysUnescapedAndItsNextPage) {
  const auto page = read_object_page(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      "<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
      "<NextContinuationToken>t&amp;1</NextContinuationToken>"
      "<Contents><Key>run/a+b%2B%C3%A4</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
      "<ETag>&quot;abc&quot;</ETag><Size>12</Size></Contents>"
      "<Contents><Key>run/c</Key><Size>-3</Size></Contents>"
      "<CommonPrefixes><Prefix>run/x/</Prefix></CommonPrefixes>"
      "</ListBucketResult>");
  ASSERT_TRUE(page);
  ASSERT_EQ(page->objects.size(), 2u);
  EXPECT_EQ(page->objects[0].key, "run/a b+\xc3\xa4");
  EXPECT_EQ(page->objects[0].etag, "abc");
  EXPECT_EQ(page->objects[0].size, 12u);
  EXPECT_EQ(page->objects[1].size, 0u);
  EXPECT_EQ(page->next, "t&1");
}

TEST(Xml, WhatIsSomethingElseIsRefused) {
  for (const char* text : {"", "<", "<html>", "<html></html>", "not xml", "<Error><Code>x</Code></Error>",
                           "<ListBucketResult>", "<a/><b/>", "\xff\xfe<?xml"}) {
    EXPECT_FALSE(read_object_page(text)) << text;
    EXPECT_FALSE(read_upload_id(text)) << text;
    EXPECT_FALSE(read_parts(text)) << text;
    EXPECT_FALSE(read_uploads(text)) << text;
    EXPECT_FALSE(read_completed_etag(text)) << text;
    EXPECT_FALSE(read_sts_credentials(text)) << text;
  }
  EXPECT_FALSE(read_upload_id("<InitiateMultipartUploadResult/>"));
  for (const char* number : {"", "0", "10001", "4294967297"})
    EXPECT_FALSE(read_parts(
        fmt::format("<ListPartsResult><Part><PartNumber>{}</PartNumber></Part></ListPartsResult>", number)))
        << number;
}

TEST(Xml, DeepAndDamagedTextIsRefusedAndHarmsNobody) {
  std::string deep,
      list = "<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents></ListBucketResult>";
  for (int i = 0; i < 1'000'000; ++i) deep += "<a>";
  EXPECT_FALSE(read_error(deep));
  EXPECT_FALSE(read_object_page("<ListBucketResult>" + deep));
  for (size_t end = 0; end < list.size(); ++end) EXPECT_FALSE(read_object_page(list.substr(0, end))) << end;
  for (size_t at = 0; at < list.size(); ++at)
    for (const char letter : {'<', '>', '&', '/', '\0', '\xff'}) {
      std::string damaged = list;
      damaged[at] = letter;
      const auto page = read_object_page(damaged);
      EXPECT_TRUE(!page || page->objects.size() <= 1) << damaged;
    }
}

TEST(Xml, ErrorsOfS3AndOfStsAreRead) {
  const auto moved = read_error("<Error><Code>PermanentRedirect</Code><Region>eu-west-1</Region></Error>");
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->region, "eu-west-1");
  const auto denied = read_error(
      "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Code>AccessDenied</Code>"
      "<Message>Not authorized</Message></Error></ErrorResponse>");
  ASSERT_TRUE(denied);
  EXPECT_EQ(denied->code, "AccessDenied");
  EXPECT_FALSE(read_error("<Error></Error>"));
  EXPECT_FALSE(read_error("<ListBucketResult/>"));
}

TEST(Xml, PartsAndUploadsAreRead) {
  const auto parts = read_parts(
      "<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>7</NextPartNumberMarker>"
      "<Part><PartNumber>7</PartNumber><ETag>\"aa\"</ETag><Size>5242880</Size></Part></ListPartsResult>");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->next, "7");
  ASSERT_EQ(parts->parts.size(), 1u);
  EXPECT_EQ(parts->parts[0].number, 7);
  EXPECT_EQ(parts->parts[0].size, 5242880u);
  EXPECT_EQ(parts->parts[0].etag, "aa");
  const auto uploads = read_uploads(
      "<ListMultipartUploadsResult>"
      "<Upload><Key>a b</Key><UploadId>i1</UploadId></Upload></ListMultipartUploadsResult>");
  ASSERT_TRUE(uploads);
  EXPECT_EQ(uploads->at(0).key, "a b");
  EXPECT_EQ(uploads->at(0).id, "i1");
}

TEST(Xml, CredentialsHaveTheirEnd) {
  const auto credentials = read_sts_credentials(
      "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
      "<AccessKeyId>A</AccessKeyId>"
      "<SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken>"
      "<Expiration>1970-01-02T00:00:00Z</Expiration>"
      "</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>");
  ASSERT_TRUE(credentials);
  EXPECT_EQ(credentials->session_token, "T");
  EXPECT_EQ(credentials->expires, std::chrono::system_clock::from_time_t(86400));
  EXPECT_FALSE(parse_time("tomorrow"));
  EXPECT_FALSE(parse_time("4051-12-31T00:00:00Z"));  // more nanoseconds than a clock counts
  EXPECT_FALSE(parse_time("1066-10-14T00:00:00Z"));
}

TEST(Xml, WhatCompletesAnUploadNamesItsParts) {
  EXPECT_EQ(complete_upload_text({{1, 5, "aa"}, {2, 3, "bb"}}),
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            "<Part><PartNumber>1</PartNumber><ETag>&quot;aa&quot;</ETag></Part>"
            "<Part><PartNumber>2</PartNumber><ETag>&quot;bb&quot;</ETag></Part></CompleteMultipartUpload>");
}

TEST(Digests, AreThoseOfTheStandards) {
  EXPECT_EQ(hex_of(md5_of(bytes_of_text("abc"))), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex_of(sha256_of({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(base64_of(bytes_of_text("")), "");
  EXPECT_EQ(base64_of(bytes_of_text("f")), "Zg==");
  EXPECT_EQ(base64_of(bytes_of_text("foobar")), "Zm9vYmFy");
}

}  // namespace
}  // namespace nowhere
