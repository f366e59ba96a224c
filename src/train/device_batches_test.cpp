#include "train/device_batches.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/test_folder.h"
#include "data/synth/synth.h"

namespace nowhere {
namespace {

class DeviceBatchesTest : public testing::Test {
 protected:
  DeviceBatchesTest() {
    draw_dataset(
        {.directory = folder_.path(), .images = 27, .cities = 1}, [](int) {}, [] { return false; });
    source_ = open_source(folder_.path());
    for (uint32_t i = 0; i < source_->photos().all.size(); ++i) photos_.push_back(i);
    config_.model.img_size = 16;
    config_.batch_size = 5;
    config_.workers = 2;
  }

  // Two epochs with a short batch at the end of each.
  std::unique_ptr<Loader> loader() {
    LoaderConfig config = config_.loader();
    config.drop_last = false;
    config.epochs = 2;
    return std::make_unique<Loader>(*source_, Sampler(source_->photos(), photos_, {.seed = 42}), config,
                                    LoaderState{.seed = 42});
  }

  // All batches, with their pictures in memory of their own.
  std::vector<DeviceBatch> take(DeviceBatches& batches, bool copy) {
    std::vector<DeviceBatch> taken;
    while (auto batch = batches.next()) {
      if (copy) {
        batch->pictures = batch->pictures.clone();
        batch->photo_numbers.assign(batch->photos.begin(), batch->photos.end());
        batch->photos = batch->photo_numbers;
      }
      taken.push_back(std::move(*batch));
    }
    return taken;
  }

  // A batch ahead, on any device, gives what the loader gives.
  void expect_as_the_loader(const torch::Device& device) {
    auto plain = loader(), staged = loader();
    DeviceBatches at_once(*plain, config_, torch::kCPU);
    DeviceBatches ahead(*staged, config_, device, DeviceBatches::Ahead::kAlways);
    const auto expected = take(at_once, true);
    const auto taken = take(ahead, false);  // kept to the end: nothing may have written over them
    ASSERT_EQ(expected.size(), 12u);
    ASSERT_EQ(taken.size(), expected.size());
    for (size_t i = 0; i < taken.size(); ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(taken[i].pictures.device(), device);
      EXPECT_TRUE(torch::equal(taken[i].pictures.cpu(), expected[i].pictures));
      EXPECT_TRUE(taken[i].pictures.is_contiguous(at::MemoryFormat::ChannelsLast));
      EXPECT_EQ(taken[i].count, expected[i].count);
      EXPECT_EQ(taken[i].epoch, i / 6);
      EXPECT_EQ(taken[i].number, i % 6);
      EXPECT_EQ(taken[i].last_of_epoch, i % 6 == 5);
      EXPECT_EQ(std::vector(taken[i].photos.begin(), taken[i].photos.end()), expected[i].photo_numbers);
    }
    EXPECT_EQ(taken.back().count, 2u);
    EXPECT_FALSE(ahead.next());
  }

  TestFolder folder_;
  std::unique_ptr<Source> source_;
  std::vector<uint32_t> photos_;
  TrainConfig config_;
};

TEST_F(DeviceBatchesTest, ABatchAheadIsTheSameBatches) {
  expect_as_the_loader(torch::kCPU);
}

TEST_F(DeviceBatchesTest, ABatchAheadIsTheSameBatchesOnTheGpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU is present";
  expect_as_the_loader(torch::Device(torch::kCUDA, 0));
}

TEST_F(DeviceBatchesTest, OnACpuTheMemoryIsTheLoaders) {
  auto from = loader();
  DeviceBatches batches(*from, config_, torch::kCPU);
  const auto batch = batches.next();
  EXPECT_EQ(batch->pictures.const_data_ptr<float>(), batch->floats);
}

TEST_F(DeviceBatchesTest, AnotherLayoutIsACopy) {
  config_.channels_last = ChannelsLast::kNo;
  for (const auto ahead : {DeviceBatches::Ahead::kAuto, DeviceBatches::Ahead::kAlways}) {
    auto from = loader(), other = loader();
    DeviceBatches batches(*from, config_, torch::kCPU, ahead);
    config_.channels_last = ChannelsLast::kYes;
    DeviceBatches expected(*other, config_, torch::kCPU);
    config_.channels_last = ChannelsLast::kNo;
    const auto batch = batches.next();
    EXPECT_TRUE(batch->pictures.is_contiguous());
    EXPECT_TRUE(torch::equal(batch->pictures, expected.next()->pictures));
  }
}

TEST_F(DeviceBatchesTest, GreyPictures) {
  config_.model.nc = 1;
  auto from = loader();
  DeviceBatches batches(*from, config_, torch::kCPU, DeviceBatches::Ahead::kAlways);
  EXPECT_EQ(batches.next()->pictures.sizes().vec(), (std::vector<int64_t>{5, 1, 16, 16}));
}

TEST_F(DeviceBatchesTest, TheLoadersErrorsArrive) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path()))
    if (file.path().extension() == ".jpg") std::filesystem::remove(file.path());
  auto broken = loader();
  DeviceBatches batches(*broken, config_, torch::kCPU, DeviceBatches::Ahead::kAlways);
  EXPECT_THROW(batches.next(), Error);
  EXPECT_THROW(batches.next(), Error);
}

}  // namespace
}  // namespace nowhere
