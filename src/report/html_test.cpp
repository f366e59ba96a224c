#include "report/html.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

std::string encoded(std::string_view text) {
  return base64({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

TEST(Html, TextIsEscaped) {
  EXPECT_EQ(html_text("<b a=\"1\" b='2'>&amp;"), "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;");
  EXPECT_EQ(html_text("größe ± 日本"), "größe ± 日本");
  EXPECT_EQ(html_text("a\xff\x01"), "a\\xff\\x01");
}

TEST(Html, AttributesAreEscapedAndContentIsNot) {
  EXPECT_EQ(element("p", "<b>x</b>", {{"class", "a\"b"}}), "<p class=\"a&quot;b\"><b>x</b></p>");
  EXPECT_EQ(empty_element("img", {{"alt", "<"}}), "<img alt=\"&lt;\">");
}

TEST(Html, Base64OfRfc4648) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe\xfb"), "//77");
}

TEST(Html, APictureBecomesADataAddress) {
  const std::vector<uint8_t> bytes = {'f', 'o', 'o'};
  EXPECT_EQ(data_address(bytes, "image/png"), "data:image/png;base64,Zm9v");
}

}  // namespace
}  // namespace nowhere
