#include "serve/config.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

TEST(ServeConfig, OriginsAreChecked) {
  ServeConfig config;
  config.allow_origin = {"https://a.example", "http://localhost:3000"};
  config.check();
  config.allow_origin = {"*"};
  config.check();
  for (const char* wrong : {"**", "https://*", "https://*.example", "a.example", "https://",
                            "https://a.example/", "https://A.example", "ftp://a", "https://a b", "null"}) {
    config.allow_origin = {wrong};
    EXPECT_THROW(config.check(), Error) << wrong;
  }
}

TEST(ServeConfig, ATokenAndEveryOriginExcludeEachOther) {
  ServeConfig config;
  config.token = "0123456789abcdef";
  config.allow_origin = {"https://a.example"};
  config.check();
  config.allow_origin = {"https://a.example", "*"};
  try {
    config.check();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    EXPECT_STREQ(error.what(),
                 "--allow-origin '*' opens the server to every page, but a token closes it to strangers; "
                 "name the sites that may send the token, or start the server without one");
  }
}

TEST(ServeConfig, TheTokenComesFromAFileOrTheEnvironment) {
  const TestFolder folder;
  ServeConfig config;
  ::unsetenv("NOWHERE_TOKEN");
  config.read_token();
  EXPECT_EQ(config.token, "");

  ::setenv("NOWHERE_TOKEN", "from-the-environment", 1);
  config.read_token();
  EXPECT_EQ(config.token, "from-the-environment");

  config.token_file = folder.path() / "token";
  EXPECT_THROW(config.read_token(), Error);  // not there
  write_file(config.token_file, std::string_view("0123456789abcdef\n"));
  config.read_token();
  EXPECT_EQ(config.token, "0123456789abcdef");
  for (const char* wrong : {"", "\n", "short", "0123456789 abcdef", "0123456789abcdef\nmore"}) {
    write_file(config.token_file, std::string_view(wrong));
    EXPECT_THROW(config.read_token(), Error) << wrong;
  }
  ::unsetenv("NOWHERE_TOKEN");
}

TEST(ServeConfig, OptionsAreReadWithinTheirRanges) {
  ServeConfig config;
  Options options;
  config.declare(options);
  options.assign(
      {{"port", "0"}, {"allow-origin", "https://a.example,https://b.example"}, {"batch-delay-ms", "5"}});
  EXPECT_EQ(config.port, 0);
  EXPECT_EQ(config.allow_origin.size(), 2u);
  EXPECT_THROW(options.assign({{"batch-delay-ms", "6"}}), Error);
}

}  // namespace
}  // namespace nowhere
