#include "serve/api_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "serve/assets.h"

namespace nowhere {
namespace {

TEST(ApiLimits, AreFilledInByName) {
  EXPECT_EQ(with_limits("0 to {max_angle}, {min_leg_frames} to {max_leg_frames}, {max_angle}; {other}"),
            "0 to 1.5, 2 to 64, 1.5; {other}");
}

// Every number on the page that is a limit comes from one.
TEST(ApiLimits, ThePageStatesThem) {
  const auto file = std::ranges::find(embedded_files(), "docs.html", &EmbeddedFile::name);
  ASSERT_NE(file, embedded_files().end());
  const std::string page(file->bytes.begin(), file->bytes.end());
  for (const auto& limit : api_limits()) {
    const std::string name(limit.key());
    if (name == "max_digest_digits") continue;  // more than any digest has
    EXPECT_NE(page.find("{" + name + "}"), std::string::npos) << name;
  }
  const std::string filled = with_limits(page);
  for (const char* words : {"Up to 64 streets on one sheet", "through 2 to 8 streets", "at most 256 frames",
                            "2 to 64, default 16", "20 to 1000", "one of its 64 neighbours", "from 0 to 1.5",
                            "1000 is street 8", "12 or more digits"})
    EXPECT_NE(filled.find(words), std::string::npos) << words;
}

}  // namespace
}  // namespace nowhere
