#include "plan/rates.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "plan/scaling.h"
#include "plan/test_workloads.h"

namespace nowhere {
namespace {

class Rates : public testing::Test {
 protected:
  double device(const PlannedModel& model, const std::string& accelerator) const {
    return rates_.of_device(model, accelerator).images_per_hour;
  }
  double work_ratio(const PlannedModel& model, const PlannedModel& other) const {
    return static_cast<double>(model.work.multiplications()) /
           static_cast<double>(other.work.multiplications());
  }

  InstanceTable table_ = InstanceTable::built_in();
  RateEstimator rates_{table_, {test_naive(), test_clamp(), test_safe()}};
};

TEST_F(Rates, WhatIsPublishedIsTakenAsItIs) {
  const ImageRate rate = rates_.of_instance(test_clamp(), table_.instance("p3.2xlarge"));
  EXPECT_EQ(rate.images_per_hour, 1'225'000);
  EXPECT_EQ(rate.origin, Origin::kPublished);
  EXPECT_EQ(rates_.of_instance(test_clamp(), table_.instance("p3.8xlarge")).how,
            "published (6,260,800 in a later table)");
}

TEST_F(Rates, AnotherBatchSizeIsNotWhatWasPublished) {
  PlannedModel model = test_clamp();
  model.work.batch = 64;
  const ImageRate rate = rates_.of_instance(model, table_.instance("p3.2xlarge"));
  EXPECT_EQ(rate.images_per_hour, 1'225'000);
  EXPECT_EQ(rate.origin, Origin::kEstimated);
  EXPECT_EQ(rate.how, "published, for another batch size");
}

TEST_F(Rates, ADeviceDoesWhatItDidAtItsBest) {
  EXPECT_EQ(device(test_clamp(), "V100"), 6'605'504 / 4.0) << "one alone was limited by something else";
  EXPECT_EQ(device(test_naive(), "K80"), 7'780'000 / 8.0);
}

TEST_F(Rates, AModelThatNobodyPublishedFollowsFromTheNearest) {
  const PlannedModel large{"safe-128-large", test_dcgan(256, 256, 128, 128, 256)};
  EXPECT_DOUBLE_EQ(device(large, "V100"), 5'941'000 / 4.0 / work_ratio(large, test_safe()));
  EXPECT_DOUBLE_EQ(device(test_safe(), "K80"), 7'780'000 / 8.0 / work_ratio(test_safe(), test_naive()));
  EXPECT_EQ(rates_.of_device(large, "V100").how,
            "from safe-128 in proportion to the multiply-adds (published for p3.8xlarge, divided by 4)");
}

TEST_F(Rates, ADeviceThatNobodyPublishedFollowsFromTheMemorysBandwidth) {
  EXPECT_DOUBLE_EQ(device(test_clamp(), "A100"), 6'605'504 / 4.0 * 1555 / 900);
  const ImageRate gaudi = rates_.of_device(test_safe(), "Gaudi");
  EXPECT_DOUBLE_EQ(gaudi.images_per_hour, 5'941'000 / 4.0 * 1000 / 900);
  EXPECT_EQ(gaudi.how, "from V100 by the bandwidth of the memory (published for p3.8xlarge, divided by 4)");
  EXPECT_EQ(gaudi.origin, Origin::kEstimated);
}

TEST_F(Rates, NothingReachesMoreThanHalfOfItsPeak) {
  table_.accelerators.push_back({"weak", 2000, 1});
  const double operations = 2.0 * static_cast<double>(test_clamp().work.multiplications());
  EXPECT_DOUBLE_EQ(device(test_clamp(), "weak"), 3600 * 0.5e12 / operations);
}

TEST_F(Rates, SeveralDevicesWaitForEachOther) {
  const ImageRate rate = rates_.of_instance(test_clamp(), table_.instance("p3.16xlarge"));
  EXPECT_EQ(rate.origin, Origin::kEstimated);
  EXPECT_LT(rate.images_per_hour, 2 * 6'605'504.0);
  EXPECT_GT(rate.images_per_hour, 1.8 * 6'605'504.0);
  EXPECT_EQ(rates_.efficiency(test_clamp(), table_.instance("p3.2xlarge")), 1);
}

TEST_F(Rates, EveryPublishedFigureFollowsRoughlyFromTheOthers) {
  for (const PublishedRate& left_out : table_.published_rates) {
    InstanceTable others = table_;
    std::erase_if(others.published_rates, [&](const PublishedRate& rate) {
      return rate.model == left_out.model && rate.instance == left_out.instance;
    });
    const RateEstimator rates(others, {test_naive(), test_clamp(), test_safe()});
    for (const PlannedModel& model : {test_naive(), test_clamp(), test_safe()}) {
      if (model.name != left_out.model) continue;
      const double ratio = rates.of_instance(model, others.instance(left_out.instance)).images_per_hour /
                           left_out.images_per_hour;
      EXPECT_TRUE(ratio > 0.7 && ratio < 1.6) << model.name << " " << left_out.instance << " " << ratio;
    }
  }
}

TEST_F(Rates, ABaseOfWhichNothingIsPublishedIsAnError) {
  table_.base_accelerator = "Gaudi";
  EXPECT_THROW(rates_.of_device(test_clamp(), "A100"), Error);
}

TEST(Scaling, ARingMovesTwiceTheBytesButForAShare) {
  const LinkSpeed link{"", 1, 0};
  EXPECT_DOUBLE_EQ(ring_seconds(1e9, 2, link), 1);
  EXPECT_DOUBLE_EQ(ring_seconds(1e9, 4, link), 1.5);
  EXPECT_DOUBLE_EQ(ring_seconds(0, 4, {"", 1, 1000}), 6e-3);
}

TEST(Scaling, WhatArrivesDuringTheBackwardPassIsHidden) {
  // One bucket of 4 MB in each layer, sent over two devices in 4 ms.
  Workload work;
  const LayerWork layer{1 << 20, 100};
  work.generator.layers = {layer, layer};
  work.discriminator.layers = {layer};
  const LinkSpeed link{"", 4.0 * (1 << 20) / 4e6, 0};
  // G is 3 x 200 of 1,400 parts, its backward pass 400; only its last bucket is not hidden when that is long.
  const double compute = 1;
  EXPECT_NEAR(scaling_efficiency(work, compute, 2, link), 1 / (1 + 0.008), 1e-3);
  EXPECT_LT(scaling_efficiency(work, 1e-3, 2, link), 0.1);
  EXPECT_EQ(scaling_efficiency(work, compute, 1, link), 1);
}

}  // namespace
}  // namespace nowhere
