#include "s3/client.h"

#include <gtest/gtest.h>

#include "s3/fake_web.h"
#include "s3/transfer.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;

constexpr const char* kEmptyList = "<ListBucketResult></ListBucketResult>";

class S3ClientTest : public testing::Test {
 protected:
  S3Client client(int attempts = 4) {
    return {
        S3Settings{}, http_, chain_,
        Retry{.attempts = attempts,
              .draw = [this] { return drawn_; },
              .sleep = [this](std::chrono::milliseconds time) { return slept_.push_back(time), !stopped_; }}};
  }

  FakeWeb http_;
  CredentialChain chain_{
      fake_environment({{"AWS_ACCESS_KEY_ID", "AKIA"}, {"AWS_SECRET_ACCESS_KEY", "hush"}}), {}, http_};
  double drawn_ = 1;
  bool stopped_ = false;
  std::vector<std::chrono::milliseconds> slept_;
  S3Url run_{"bucket", "run"};
};

TEST(Retry, WaitsTwiceAsLongEachTimeUpToALimit) {
  Retry retry{.draw = [] { return 1.0; }};
  EXPECT_EQ(retry.wait_after(1), 500ms);
  EXPECT_EQ(retry.wait_after(2), 1000ms);
  EXPECT_EQ(retry.wait_after(5), 8000ms);
  EXPECT_EQ(retry.wait_after(7), 20000ms);
  EXPECT_EQ(retry.wait_after(1000), 20000ms);
  retry.draw = [] { return 0.0; };
  EXPECT_EQ(retry.wait_after(2), 500ms);
}

TEST(Retry, ASleepEndsWhenItIsStopped) {
  EXPECT_FALSE(make_retry(1, [] { return true; }).sleep(1h));
  EXPECT_TRUE(make_retry(1, {}).sleep(0ms));
}

TEST_F(S3ClientTest, WhatPassesIsTriedAgain) {
  http_.replies = {fake_error(503, "SlowDown"), fake_fault(WebFault::kTimeout),
                   fake_error(400, "RequestTimeout"), fake_reply(200, kEmptyList)};
  EXPECT_TRUE(client().list(run_));
  EXPECT_EQ(slept_, (std::vector<std::chrono::milliseconds>{500ms, 1s, 2s}));
}

TEST_F(S3ClientTest, NotForEverAndNotAfterASignal) {
  const auto failed = client(3).list(run_);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().fault, S3Fault::kUnwell);
  EXPECT_EQ(http_.requests.size(), 3u);
  EXPECT_EQ(slept_.size(), 2u);
  stopped_ = true;
  EXPECT_EQ(client(3).list(run_).error().fault, S3Fault::kStopped);
  EXPECT_EQ(http_.requests.size(), 4u);
}

TEST_F(S3ClientTest, RefusalsAreFinalAndNamed) {
  const std::vector<std::pair<const char*, S3Fault>> known{{"NoSuchBucket", S3Fault::kNoBucket},
                                                           {"NoSuchKey", S3Fault::kNoKey},
                                                           {"AccessDenied", S3Fault::kDenied},
                                                           {"RequestTimeTooSkewed", S3Fault::kClock},
                                                           {"PreconditionFailed", S3Fault::kUnwell}};
  for (const auto& [code, fault] : known) {
    http_.replies = {fake_error(403, code)};
    http_.requests.clear();
    const auto refused = client().list(run_);
    ASSERT_FALSE(refused) << code;
    EXPECT_EQ(refused.error().fault, fault) << code;
    EXPECT_EQ(refused.error().code, code);
    EXPECT_EQ(http_.requests.size(), 1u) << code;
    const bool missing = fault == S3Fault::kNoBucket || fault == S3Fault::kNoKey;
    EXPECT_EQ(error_of(refused.error()).exit(), missing ? Exit::kData : Exit::kFailed) << code;
  }
  EXPECT_TRUE(slept_.empty());
}

TEST_F(S3ClientTest, ExpiredCredentialsAreRenewedOnce) {
  http_.replies = {fake_error(400, "ExpiredToken"), fake_reply(200, kEmptyList)};
  EXPECT_TRUE(client().list(run_));
  http_.replies = {fake_error(400, "ExpiredToken"), fake_error(400, "ExpiredToken")};
  const auto refused = client().list(run_);
  EXPECT_EQ(refused.error().fault, S3Fault::kCredentials);
  EXPECT_EQ(http_.requests.size(), 4u);
}

TEST_F(S3ClientTest, GoesToTheRegionThatTheServerNames) {
  http_.replies = {fake_reply(301, "<Error><Code>PermanentRedirect</Code></Error>",
                              {{"x-amz-bucket-region", "eu-west-1"}}),
                   fake_reply(200, kEmptyList), fake_reply(200, kEmptyList),
                   fake_reply(301, "", {{"x-amz-bucket-region", "a.evil.org"}})};
  S3Client bucket = client();
  EXPECT_TRUE(bucket.list(run_));
  EXPECT_TRUE(bucket.list(run_));
  EXPECT_EQ(http_.requests[0].url.substr(0, 41), "https://bucket.s3.us-east-1.amazonaws.com");
  EXPECT_EQ(http_.requests[1].url.substr(0, 41), "https://bucket.s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(http_.requests[1].signing->region, "eu-west-1");
  EXPECT_EQ(http_.requests[2].url, http_.requests[1].url);
  EXPECT_FALSE(bucket.list(run_));
}

TEST_F(S3ClientTest, NoMessageRepeatsASecret) {
  http_.replies = {
      fake_reply(400, "<Error><Code>Odd</Code><Message>AKIA with hush\nis odd</Message></Error>")};
  const std::string reason = client().list(run_).error().reason;
  EXPECT_EQ(reason.find("AKIA"), std::string::npos);
  EXPECT_EQ(reason.find("hush"), std::string::npos);
  EXPECT_EQ(reason.find('\n'), std::string::npos);
}

TEST_F(S3ClientTest, ALongListComesInPages) {
  http_.replies = {
      fake_reply(200,
                 "<ListBucketResult><IsTruncated>true</IsTruncated>"
                 "<NextContinuationToken>n/1</NextContinuationToken>"
                 "<Contents><Key>run/a</Key></Contents></ListBucketResult>"),
      fake_reply(200, "<ListBucketResult><Contents><Key>run/b</Key></Contents></ListBucketResult>")};
  EXPECT_EQ(client().list(run_)->size(), 2u);
  EXPECT_NE(http_.requests[1].url.find("continuation-token=n%2F1&delimiter=%2F"), std::string::npos);
}

TEST_F(S3ClientTest, CompletingMayFailWithStatus200) {
  http_.replies = {
      fake_error(200, "InternalError"),
      fake_reply(200, "<CompleteMultipartUploadResult><ETag>\"x-1\"</ETag></CompleteMultipartUploadResult>")};
  EXPECT_EQ(*client().complete_upload(run_, "id", {{1, 1, "x"}}), "x-1");
  http_.replies = {fake_error(200, "InvalidPart")};
  EXPECT_EQ(client().complete_upload(run_, "id", {{1, 1, "x"}}).error().code, "InvalidPart");
}

TEST_F(S3ClientTest, WhatTheServerStoredOtherwiseIsSaid) {
  http_.replies = {fake_reply(200, "", {{"etag", "\"00000000000000000000000000000000\""}}),
                   fake_reply(200, "", {{"etag", "\"0\""}, {"x-amz-server-side-encryption", "aws:kms"}})};
  EXPECT_EQ(client().put(run_, bytes_of_text("abc")).error().fault, S3Fault::kDamaged);
  EXPECT_TRUE(client().put(run_, bytes_of_text("abc")));  // its ETag says nothing
}

TEST_F(S3ClientTest, AnUploadThatIsDeniedHalfwayIsRemovedAndOneThatIsCutStays) {
  const TransferSizes sizes{.whole = 1, .part = 4, .at_once = 1};
  const std::string begun =
      "<InitiateMultipartUploadResult><UploadId>id</UploadId></InitiateMultipartUploadResult>";
  const std::string none = "<ListMultipartUploadsResult></ListMultipartUploadsResult>";
  http_.replies = {fake_reply(200, none), fake_reply(200, begun), fake_error(403, "AccessDenied"),
                   fake_reply(204)};
  S3Client bucket = client(1);
  EXPECT_EQ(upload_file(bucket, run_, bytes_of_text("abcdefgh"), sizes).error().fault, S3Fault::kDenied);
  EXPECT_EQ(http_.requests.back().method, "DELETE");
  http_.replies = {fake_reply(200, none), fake_reply(200, begun), fake_fault(WebFault::kBroken)};
  EXPECT_EQ(upload_file(bucket, run_, bytes_of_text("abcdefgh"), sizes).error().fault, S3Fault::kUnwell);
  EXPECT_EQ(http_.requests.back().method, "PUT");
}

TEST(Transfer, AFileHasAtMostTenThousandParts) {
  const TransferSizes sizes;
  EXPECT_EQ(part_size_for(100 << 20, sizes), sizes.part);
  for (const uint64_t size : {uint64_t{160} << 30, uint64_t{5} << 40}) {
    const uint64_t part = part_size_for(size, sizes);
    EXPECT_LE((size + part - 1) / part, 10'000u);
    EXPECT_EQ(part % (1 << 20), 0u);
  }
}

}  // namespace
}  // namespace nowhere
