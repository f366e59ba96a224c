#include "s3/settings.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/test_folder.h"
#include "s3/fake_web.h"
#include "s3/profiles.h"

namespace nowhere {
namespace {

using Variables = std::map<std::string, std::string>;

TEST(Profiles, AreReadAsTheToolsOfAwsReadThem) {
  const auto profiles = parse_profiles(
      "# comment\r\n[default]\r\naws_access_key_id = AKIA1 ; mine\r\nregion=eu-north-1\r\n"
      "stray line\n[ work ]\naws_secret_access_key = a/b+c=#d\n"
      "s3 =\n  addressing_style = path\n[broken\nkey = 1\n");
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles.at("default"),
            (ProfileSettings{{"aws_access_key_id", "AKIA1"}, {"region", "eu-north-1"}}));
  EXPECT_EQ(profiles.at("work"), (ProfileSettings{{"aws_secret_access_key", "a/b+c=#d"}, {"s3", ""}}));
  EXPECT_TRUE(parse_profiles("").empty());
}

TEST(Profiles, OfBothFilesAreOneAndTheCredentialsFileWins) {
  const TestFolder folder;
  write_file(folder.path() / "credentials", "[work]\naws_access_key_id = A\nregion = us-west-2\n");
  write_file(folder.path() / "config",
             "[profile work]\nregion = eu-west-1\noutput = json\n[work]\noutput = text\n");
  const Profile profile = read_profile(
      fake_environment({{"AWS_PROFILE", "work"},
                        {"AWS_SHARED_CREDENTIALS_FILE", (folder.path() / "credentials").string()},
                        {"AWS_CONFIG_FILE", (folder.path() / "config").string()}}));
  EXPECT_TRUE(profile.named && profile.found);
  EXPECT_EQ(profile.get("aws_access_key_id"), "A");
  EXPECT_EQ(profile.get("region"), "us-west-2");
  EXPECT_EQ(profile.get("output"), "json");
  EXPECT_EQ(profile.get("nothing"), "");
}

TEST(Profiles, LieInTheHomeFolder) {
  const TestFolder folder;
  make_directories(folder.path() / ".aws");
  write_file(folder.path() / ".aws/config", "[default]\nregion = sa-east-1\n");
  const Variables home{{"HOME", folder.path().string()}};
  EXPECT_EQ(read_profile(fake_environment(home)).get("region"), "sa-east-1");
  EXPECT_EQ(S3Settings::read(fake_environment(home)).region, "sa-east-1");
}

TEST(S3Settings, TakeTheRegionAndTheEndpointFromTheFirstThatSays) {
  EXPECT_EQ(S3Settings::read(fake_environment({{"AWS_REGION", "a-1"}, {"AWS_DEFAULT_REGION", "b-1"}})).region,
            "a-1");
  EXPECT_EQ(S3Settings::read(fake_environment({{"AWS_DEFAULT_REGION", "b-1"}})).region, "b-1");
  EXPECT_EQ(S3Settings::read(fake_environment({})).first_region(), "us-east-1");
  const Variables both{{"AWS_ENDPOINT_URL_S3", "http://one:1/"}, {"AWS_ENDPOINT_URL", "https://two"}};
  EXPECT_EQ(S3Settings::read(fake_environment(both)).endpoint, "http://one:1");
  EXPECT_EQ(S3Settings::read(fake_environment(both)).sts_endpoint, "https://two");
  EXPECT_EQ(S3Settings::read(fake_environment({{"AWS_REGION", "cn-north-1"}})).sts_endpoint,
            "https://sts.cn-north-1.amazonaws.com.cn");
}

TEST(S3Settings, RefuseWhatMakesNoSense) {
  for (const Variables& wrong :
       {Variables{{"AWS_ENDPOINT_URL", "127.0.0.1:9000"}}, Variables{{"AWS_ENDPOINT_URL", "http://"}},
        Variables{{"AWS_ENDPOINT_URL", "http://user:secret@host"}}, Variables{{"AWS_REGION", "x.evil.org/"}},
        Variables{{"AWS_MAX_ATTEMPTS", "0"}}, Variables{{"NOWHERE_S3_PATIENCE", "soon"}}})
    try {
      S3Settings::read(fake_environment(wrong));
      ADD_FAILURE() << wrong.begin()->second;
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kUsage);
      EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
    }
}

TEST(S3Settings, PutTheBucketIntoTheHostAtAwsAndIntoThePathElsewhere) {
  S3Settings settings;
  EXPECT_EQ(settings.url_of({"bucket", "a b"}, "eu-west-1"),
            "https://bucket.s3.eu-west-1.amazonaws.com/a%20b");
  EXPECT_EQ(settings.url_of({"my.bucket", ""}, "eu-west-1"), "https://s3.eu-west-1.amazonaws.com/my.bucket/");
  EXPECT_EQ(settings.url_of({"bucket", ""}, "cn-north-1"), "https://bucket.s3.cn-north-1.amazonaws.com.cn/");
  settings.endpoint = "http://127.0.0.1:9000";
  EXPECT_EQ(settings.url_of({"bucket", "a/b"}, "any"), "http://127.0.0.1:9000/bucket/a/b");
}

}  // namespace
}  // namespace nowhere
