#include "tensor/tensors.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace nowhere {
namespace {

TEST(Tensors, ComeBackTheSame) {
  const torch::Tensor tensor = torch::arange(24, torch::kFloat).view({2, 3, 4});
  EXPECT_TRUE(torch::equal(from_data(to_data(tensor)), tensor));
  EXPECT_TRUE(torch::equal(from_data(to_data(tensor.transpose(0, 2))), tensor.transpose(0, 2)));
  EXPECT_EQ(from_data(to_data(torch::empty({0, 3}))).sizes().vec(), (std::vector<int64_t>{0, 3}));
}

// A stride of 0 makes any number of elements out of one.
TEST(Tensors, WhatRepeatsItselfIsRefusedBeforeMemoryIsTaken) {
  TensorData endless = to_data(torch::ones({1}));
  endless.shape = {int64_t{1} << 40};
  endless.strides = {0};
  ASSERT_TRUE(check_tensor(endless));
  EXPECT_THROW(from_data(endless), Error);
  TensorData view = to_data(torch::ones({4}));
  view.shape = {2, 2};
  view.strides = {1, 1};  // overlaps, but has no more than the storage
  EXPECT_EQ(from_data(view).numel(), 4);
}

}  // namespace
}  // namespace nowhere
