#include "train/picture_history.h"

#include <gtest/gtest.h>

#include "tensor/tensors.h"

namespace nowhere {
namespace {

const ModelConfig kModel{.img_size = 128};

// All pixels the same: the number of the save, in thousandths.
torch::Tensor pictures(int number) {
  return torch::full({kFixedVectors, kModel.nc, kModel.img_size, kModel.img_size}, number / 1000.0);
}

std::vector<int> numbers(const Value& list) {
  std::vector<int> found;
  for (const Value& item : *list.items()) {
    const torch::Tensor entry = from_data(*item.tensor());
    EXPECT_EQ(entry.scalar_type(), torch::kFloat);
    EXPECT_EQ(entry.sizes(), pictures(0).sizes());
    found.push_back(static_cast<int>(std::lround(entry[0][0][0][0].item<double>() * 1000)));
  }
  return found;
}

TEST(PictureHistory, KeepsTheNewestThatFit) {
  PictureHistory history;
  EXPECT_TRUE(history.value().items()->empty());
  for (int i = 1; i <= 7; ++i) history.add(pictures(i));
  EXPECT_EQ(numbers(history.value()), (std::vector<int>{3, 4, 5, 6, 7}));  // of 12.6 MB each
  uint64_t bytes = 0;
  const Value list = history.value();
  for (const Value& item : *list.items()) bytes += item.tensor()->storage.size();
  EXPECT_LE(bytes, PictureHistory::kMaxBytes);
  EXPECT_EQ(bytes, PictureHistory::bytes_after(7, kModel));
  EXPECT_EQ(PictureHistory::bytes_after(1, kModel) * 2, PictureHistory::bytes_after(2, kModel));
}

TEST(PictureHistory, KeepsTheLastHoweverLarge) {
  const ModelConfig large{.img_size = 512};
  EXPECT_EQ(PictureHistory::bytes_after(5, large), 4u * 64 * 3 * 512 * 512);
  PictureHistory history;
  for (int i = 0; i < 2; ++i) history.add(torch::zeros({kFixedVectors, 3, 512, 512}));
  EXPECT_EQ(history.value().items()->size(), 1u);
}

TEST(PictureHistory, IsCarriedOn) {
  PictureHistory history;
  history.add(pictures(1));
  const Value list = history.value();
  PictureHistory again(&list, kModel);
  again.add(pictures(2));
  EXPECT_EQ(numbers(again.value()), (std::vector<int>{1, 2}));
  EXPECT_TRUE(PictureHistory(nullptr, kModel).value().items()->empty());
}

// Grids of bytes or floats, pictures of another size, and tensors that repeat one number without end.
TEST(PictureHistory, PassesOverOtherForms) {
  TensorData endless = to_data(torch::zeros({1}));
  endless.shape = {int64_t{1} << 30, 3, 128, 128};
  endless.strides = {0, 0, 0, 0};
  List list;
  list.items = {to_data(torch::zeros({3, 530, 530}, torch::kByte)),
                to_data(torch::zeros({3, 530, 530})),
                to_data(torch::zeros({64, 3, 64, 64})),
                to_data(pictures(4).to(torch::kHalf)),
                "text",
                endless};
  const Value value(list);
  EXPECT_EQ(numbers(PictureHistory(&value, kModel).value()), (std::vector<int>{4}));
}

}  // namespace
}  // namespace nowhere
