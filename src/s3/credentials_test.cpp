#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "s3/credential_chain.h"
#include "s3/credential_sources.h"
#include "s3/fake_web.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;
using Variables = std::map<std::string, std::string>;

constexpr const char* kFromAgent =
    R"({"AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T", "Expiration": "1970-01-01T01:00:00Z"})";

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CredentialSources, TheEnvironmentHasBothHalvesOrNone) {
  EXPECT_FALSE(environment_credentials(fake_environment({})));
  const auto found = environment_credentials(fake_environment(
      {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "S"}, {"AWS_SESSION_TOKEN", "T"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->access_key + found->secret_key + found->session_token, "AST");
  const std::string half = refusal([] {
    environment_credentials(fake_environment({{"AWS_SECRET_ACCESS_KEY", "hush"}}));
  });
  EXPECT_NE(half.find("AWS_ACCESS_KEY_ID"), std::string::npos);
  EXPECT_EQ(half.find("hush"), std::string::npos);
}

TEST(CredentialSources, ANamedProfileMustBeThere) {
  const TestFolder folder;
  write_file(folder.path() / "credentials",
             "[a]\naws_access_key_id=A\naws_secret_access_key=S\n[b]\nregion=x\n");
  const auto of = [&](const std::string& name) {
    return fake_environment(
        {{"AWS_PROFILE", name}, {"AWS_SHARED_CREDENTIALS_FILE", (folder.path() / "credentials").string()}});
  };
  EXPECT_EQ(profile_credentials(of("a"))->secret_key, "S");
  EXPECT_NE(refusal([&] { profile_credentials(of("b")); }).find("has no aws_access_key_id"),
            std::string::npos);
  EXPECT_NE(refusal([&] { profile_credentials(of("c")); }).find("neither"), std::string::npos);
  EXPECT_FALSE(profile_credentials(fake_environment({})));
}

TEST(CredentialSources, AWebIdentityIsExchangedAtSts) {
  const TestFolder folder;
  write_file(folder.path() / "token", "web/token\n");
  const Environment environment =
      fake_environment({{"AWS_WEB_IDENTITY_TOKEN_FILE", (folder.path() / "token").string()},
                        {"AWS_ROLE_ARN", "arn:aws:iam::1:role/r"}});
  S3Settings settings;
  settings.sts_endpoint = "http://sts";
  FakeWeb http;
  http.replies.push_back(fake_error(403, "AccessDenied"));
  EXPECT_NE(refusal([&] { web_identity_credentials(environment, settings, http); }).find("AccessDenied"),
            std::string::npos);
  EXPECT_EQ(
      http.bodies[0],
      "Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=nowhere&"
      "Version=2011-06-15&WebIdentityToken=web%2Ftoken");
  EXPECT_EQ(http.requests[0].url, "http://sts/");
  EXPECT_FALSE(http.requests[0].signing);
}

TEST(CredentialSources, AContainersAgentGetsItsTokenAndNobodyElseDoes) {
  FakeWeb http;
  http.replies.push_back(fake_reply(200, kFromAgent));
  Variables variables{{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:99/creds"},
                      {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "hush"}};
  const auto found = container_credentials(fake_environment(variables), http);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->session_token, "T");
  EXPECT_EQ(found->expires, std::chrono::system_clock::from_time_t(3600));
  EXPECT_EQ(http.requests[0].headers.at(0), std::pair(std::string("Authorization"), std::string("hush")));
  for (const char* uri : {"http://example.org/creds", "http://127.0.0.1.example.org/", "ftp://127.0.0.1/"}) {
    variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = uri;
    EXPECT_NE(
        refusal([&] { container_credentials(fake_environment(variables), http); }).find("neither https"),
        std::string::npos);
  }
  EXPECT_EQ(http.requests.size(), 1u);
}

TEST(CredentialSources, AnInstanceIsAskedWithATokenOfItsOwn) {
  FakeWeb http;
  http.replies = {fake_reply(200, "session"), fake_reply(200, "my role\n"), fake_reply(200, kFromAgent)};
  const Environment environment = fake_environment({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://here/"}});
  EXPECT_EQ(instance_credentials(environment, http)->access_key, "A");
  ASSERT_EQ(http.requests.size(), 3u);
  EXPECT_EQ(http.requests[0].method, "PUT");
  EXPECT_EQ(http.requests[0].url, "http://here/latest/api/token");
  EXPECT_EQ(http.requests[2].url, "http://here/latest/meta-data/iam/security-credentials/my%20role");
  EXPECT_EQ(http.requests[2].headers.at(0).second, "session");
}

TEST(CredentialSources, WithoutAMetadataServiceThereIsNothing) {
  FakeWeb http;
  http.replies = {fake_fault(WebFault::kTimeout), fake_reply(200, "session"), fake_reply(404)};
  EXPECT_FALSE(instance_credentials(fake_environment({}), http));
  EXPECT_FALSE(instance_credentials(fake_environment({}), http));  // an instance without a role
  EXPECT_FALSE(instance_credentials(fake_environment({{"AWS_EC2_METADATA_DISABLED", "True"}}), http));
  EXPECT_EQ(http.requests.size(), 3u);
}

class CredentialChainTest : public testing::Test {
 protected:
  std::string reply_until(int seconds) const {
    return R"({"AccessKeyId": "A)" + std::to_string(seconds) +
           R"(", "SecretAccessKey": "S", "Token": "T", )" + R"("Expiration": "1970-01-01T)" +
           (seconds < 36000 ? "0" : "") + std::to_string(seconds / 3600) + R"(:00:00Z"})";
  }
  std::chrono::system_clock::time_point now_{};
  FakeWeb http_;
  CredentialChain chain_{
      fake_environment({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "https://agent"}}), {}, http_, [this] {
        return now_;
      }};
};

TEST_F(CredentialChainTest, CredentialsAreRenewedBeforeTheyEnd) {
  http_.replies = {fake_reply(200, reply_until(3600)), fake_reply(200, reply_until(7200))};
  EXPECT_EQ(chain_.get().access_key, "A3600");
  now_ += 54min;
  EXPECT_EQ(chain_.get().access_key, "A3600");
  EXPECT_EQ(http_.requests.size(), 1u);
  now_ += 2min;
  EXPECT_EQ(chain_.get().access_key, "A7200");
}

TEST_F(CredentialChainTest, ThoseAtHandServeToTheirEndWhenTheSourceFails) {
  http_.replies = {fake_reply(200, reply_until(3600)), fake_reply(500), fake_reply(500)};
  chain_.get();
  now_ += 57min;
  EXPECT_EQ(chain_.get().access_key, "A3600");
  now_ += 4min;
  EXPECT_THROW(chain_.get(), Error);
}

TEST_F(CredentialChainTest, ForgottenOnesAreAskedForAgain) {
  http_.replies = {fake_reply(200, reply_until(3600)), fake_reply(200, reply_until(7200))};
  chain_.get();
  chain_.forget();
  EXPECT_EQ(chain_.get().access_key, "A7200");
}

TEST_F(CredentialChainTest, SecretsAreTakenOutOfText) {
  http_.replies = {fake_reply(200, R"({"AccessKeyId": "AKIA", "SecretAccessKey": "hush", "Token": "tok"})")};
  chain_.get();
  EXPECT_EQ(chain_.without_secrets("AKIA said hush, hush and tok"), "*** said ***, *** and ***");
}

TEST(CredentialChain, SaysWhatToSetWhereThereIsNothing) {
  FakeWeb http;
  CredentialChain chain(fake_environment({{"AWS_EC2_METADATA_DISABLED", "true"}}), {}, http);
  EXPECT_NE(refusal([&] { chain.get(); }).find("AWS_ACCESS_KEY_ID"), std::string::npos);
}

}  // namespace
}  // namespace nowhere
