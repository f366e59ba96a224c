#include "core/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/error.h"
#include "core/random.h"

namespace nowhere {
namespace {

std::string refusal(std::string_view text) {
  try {
    parse_json_object(text, "-c");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    return error.what();
  }
  return "";
}

TEST(Json, TheTrailingCommaOfTheReferenceIsAccepted) {
  const auto json = parse_json_object(R"({"name": "msls", "log_frequency": 50, "save_frequency": 1,})", "-c");
  EXPECT_EQ(json.at("save_frequency"), 1);
}

TEST(Json, AnErrorSaysWhere) {
  EXPECT_NE(refusal("{\"a\": 1,\n  \"b\" 2}").find("line 2, column 7"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": 1").find("at the end"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": 1} x").find("line 1, column 10"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("object"), std::string::npos);
  EXPECT_NE(refusal("").find("broken JSON"), std::string::npos);
}

TEST(Json, PrettyTextIsReadBack) {
  const boost::json::object json{{"a", 1}, {"b", "x\"y"}, {"c", {1, 2}}};
  EXPECT_EQ(parse_json_object(pretty(json), "it"), json);
  EXPECT_EQ(parse_json_object(pretty({}), "it"), boost::json::object());
}

double read_back(const std::string& text) {
  return parse_json_object("{\"x\": " + text + "}", "it").at("x").to_number<double>();
}

// A run that is resumed reads its settings and writes them again, each time.
TEST(Json, NumbersDoNotDrift) {
  Random random(0, Purpose::kSynth, {1});
  for (int i = 0; i < 100'000; ++i) {
    // Any number there is, and ones such as a user types.
    const auto any = std::bit_cast<double>(random.bits());
    const double typed = static_cast<double>(random.bits() % 1'000'000'000) / 1e13;
    for (const double number : {any, typed, typed * 1e-7}) {
      if (!std::isfinite(number)) continue;
      ASSERT_EQ(read_back(json_text(number)), number) << json_text(number);
      ASSERT_EQ(read_back(boost::json::serialize(boost::json::value(number))), number);
    }
  }
}

TEST(Json, NumbersAreTheNearestToTheirDigits) {
  EXPECT_EQ(read_back("0.1"), 0.1);
  EXPECT_EQ(read_back("1.2345678901234567890123456789e-5"), 1.2345678901234567890123456789e-5);
  EXPECT_EQ(read_back("179769313486231570000000000000000000000e270"), 1.7976931348623157e308);
  EXPECT_EQ(read_back("-7"), -7);
  EXPECT_EQ(read_back("18446744073709551615"), 18446744073709551615.0);
  const auto json =
      parse_json_object(R"({"a": [1, 2.5, "x", {"b": null}], "c": true, /* no */ "d": 1e-9})", "-t");
  EXPECT_EQ(boost::json::serialize(json), R"({"a":[1,2.5E0,"x",{"b":null}],"c":true,"d":1E-9})");
}

}  // namespace
}  // namespace nowhere
