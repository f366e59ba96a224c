#include "plan/run_plan.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "plan/plan_report.h"
#include "plan/test_workloads.h"

namespace nowhere {
namespace {

class RunPlan : public testing::Test {
 protected:
  PlanRow row(const std::string& type) const {
    return plan_row(table_, rates_, request_, table_.instance(type));
  }

  InstanceTable table_ = InstanceTable::built_in();
  RateEstimator rates_{table_, {test_naive(), test_clamp(), test_safe()}};
  PlanRequest request_{.model = test_clamp(),
                       .images = 940'000,
                       .epochs = 16,
                       .loader = table_.loader("packed"),
                       .disk = table_.disk("gp3")};
};

TEST_F(RunPlan, HoursAndDollarsFollowFromTheRate) {
  const PlanRow p3 = row("p3.2xlarge");
  EXPECT_EQ(p3.rate.origin, Origin::kPublished);
  EXPECT_DOUBLE_EQ(p3.hours, 16 * 939'776 / 1'225'000.0) << "whole batches of 256";
  EXPECT_DOUBLE_EQ(p3.dollars, p3.hours * 3.06);
  EXPECT_DOUBLE_EQ(p3.spot_dollars, p3.hours * 0.92);
  EXPECT_DOUBLE_EQ(p3.images_per_dollar(), 1'225'000 / 3.06);
  EXPECT_TRUE(p3.spot_published);
  EXPECT_FALSE(row("p4d.24xlarge").spot_published);
}

TEST_F(RunPlan, APublishedFigureBelowWhatTheDeviceCanWasLimitedByTheLoader) {
  EXPECT_EQ(row("p3.2xlarge").limit, Limit::kLoader) << "a V100 did a third more on p3.8xlarge";
  EXPECT_EQ(row("p3.8xlarge").limit, Limit::kDevice);
}

TEST_F(RunPlan, TheSlowestDecides) {
  request_.disk = table_.disk("efs");
  const PlanRow disk = row("p3.8xlarge");
  EXPECT_EQ(disk.limit, Limit::kDisk);
  EXPECT_DOUBLE_EQ(disk.rate.images_per_hour, 3600 * 8e6 / 57'600);
  EXPECT_EQ(disk.rate.origin, Origin::kEstimated);
  request_.disk = table_.disk("gp3");
  request_.loader = {.name = "slow", .images_per_second = 10, .bytes = 1000};
  const PlanRow loader = row("p3.8xlarge");
  EXPECT_EQ(loader.limit, Limit::kLoader);
  EXPECT_DOUBLE_EQ(loader.rate.images_per_hour, 3600 * 32 * 10);
}

TEST_F(RunPlan, ReadsCountWhereADiskHasALimitOfThem) {
  request_.loader = table_.loader("jpeg");
  EXPECT_DOUBLE_EQ(row("p3.8xlarge").disk_images_per_hour, 3600 * 8000.0);
}

TEST_F(RunPlan, PackedImagesGrowWithTheirArea) {
  const double small = row("p3.8xlarge").loader_images_per_hour;
  request_.model = test_safe();
  EXPECT_DOUBLE_EQ(row("p3.8xlarge").loader_images_per_hour, small / 4);
}

TEST_F(RunPlan, AMeasurementIsNotLimited) {
  request_.disk = table_.disk("efs");
  request_.measured["p3.8xlarge"] = 1000;
  const PlanRow measured = row("p3.8xlarge");
  EXPECT_EQ(measured.rate.origin, Origin::kMeasured);
  EXPECT_EQ(measured.rate.images_per_hour, 3'600'000);
  const PlanRow own = measured_row(request_, 2, uint64_t{8} << 30, 10, 0);
  EXPECT_EQ(own.rate.images_per_hour, 36'000);
  EXPECT_EQ(own.dollars, 0);
  EXPECT_EQ(own.device_gib(), 8);
}

TEST_F(RunPlan, AModelMayNotFit) {
  EXPECT_TRUE(row("p3.2xlarge").fits());
  request_.model.work.generator.activations = 20'000'000;
  EXPECT_FALSE(row("p3.2xlarge").fits());
  EXPECT_NE(plan_text(table_, request_, {row("p3.2xlarge")}).find("of 16: too little"), std::string::npos);
}

TEST_F(RunPlan, TooFewImagesAreAUsageError) {
  request_.images = 1000;
  EXPECT_NO_THROW(row("p3.2xlarge"));
  try {
    row("p3.8xlarge");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "1,000 images cannot fill a batch of 256 on each of the 4 devices of p3.8xlarge; give more "
              "--images, or a smaller --batch-size");
    EXPECT_EQ(error.exit(), Exit::kUsage);
  }
}

TEST_F(RunPlan, TheTableMarksEstimatesAndBeginsWithTheCheapest) {
  const std::string text =
      plan_text(table_, request_, {row("p3.8xlarge"), row("dl1.24xlarge"), row("p3.2xlarge")});
  EXPECT_NE(text.find("clamp-64: G 52,448,768 and D 2,765,568 parameters"), std::string::npos) << text;
  EXPECT_NE(text.find("6,605,504"), std::string::npos);
  EXPECT_EQ(text.find("~6,605,504"), std::string::npos);
  EXPECT_NE(text.find("~13,900,000"), std::string::npos) << text;
  EXPECT_LT(text.find("p3.8xlarge"), text.find("p3.2xlarge"));
  EXPECT_NE(text.find("of 2022-01"), std::string::npos);
}

TEST_F(RunPlan, TheComparisonHasThroughputPerDollar) {
  const std::vector<ComparedRow> rows = {{"clamp-64", row("p3.8xlarge")}, {"clamp-64", row("g4dn.metal")}};
  const std::string text = comparison_text(table_, rows);
  EXPECT_NE(text.find("539,665"), std::string::npos) << text << "6,605,504 over 12.24";
  EXPECT_NE(text.find("~2.35"), std::string::npos) << text << "nobody says the spot price";
  const auto json = comparison_json(table_, rows).at("rows").as_array();
  EXPECT_EQ(json[0].at("origin"), "published");
  EXPECT_EQ(json[1].at("origin"), "estimated");
  EXPECT_EQ(json[1].at("spot_origin"), "estimated");
}

TEST(RunPlanCosts, AMillionImagesCostSomething) {
  EXPECT_DOUBLE_EQ(dollars_per_million(2e6, 3), 1.5);
}

}  // namespace
}  // namespace nowhere
