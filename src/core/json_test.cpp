#include "core/json.h"

#include <gtest/gtest.h>

#include "core/error.h"

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

}  // namespace
}  // namespace nowhere
