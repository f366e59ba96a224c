#include "plan/throughput.h"

#include <gtest/gtest.h>

namespace nowhere {
namespace {

TEST(Throughput, AMillionImagesHaveAPriceWhereAnHourHasOne) {
  EXPECT_EQ(cost_text(1000, {}), "");
  EXPECT_EQ(cost_text(1e6 / 3600, {.on_demand = 3}), "; $3.00 a million images");
  EXPECT_EQ(cost_text(1e6 / 3600, {.on_demand = 3, .spot = 0.015}),
            "; $3.00 a million images, $0.015 on spot");
  EXPECT_FALSE(throughput_json(10, {}).contains("dollars_per_million"));
  const auto json = throughput_json(1e6 / 3600, {.on_demand = 3, .spot = 1});
  EXPECT_DOUBLE_EQ(json.at("images_per_hour").as_double(), 1e6);
  EXPECT_DOUBLE_EQ(json.at("spot_dollars_per_million").as_double(), 1);
}

TEST(Throughput, TheTableHasPricesWhereTheyAreKnown) {
  const std::vector<Throughput> figures = {{"step", 100, "naive-64"}};
  EXPECT_EQ(throughput_table(figures, {}).find('$'), std::string::npos);
  const std::string text = throughput_table(figures, {.on_demand = 3.6});
  EXPECT_NE(text.find("360,000"), std::string::npos) << text;
  EXPECT_NE(text.find("$10.00"), std::string::npos) << text;
}

}  // namespace
}  // namespace nowhere
