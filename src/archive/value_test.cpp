#include "archive/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace nowhere {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TensorData view(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t offset, size_t floats) {
  static const std::vector<uint8_t> zeros(4096);
  return {Dtype::kFloat32, std::move(shape), std::move(strides), offset, std::span(zeros).first(4 * floats),
          nullptr};
}

TEST(Value, KnowsItsKind) {
  EXPECT_TRUE(Value().is_none());
  EXPECT_EQ(Value(true).boolean(), true);
  EXPECT_EQ(Value(true).integer(), std::nullopt);
  EXPECT_EQ(Value(7).integer(), 7);
  EXPECT_EQ(Value(size_t{7}).number(), 7.0);
  EXPECT_EQ(Value(0.5).number(), 0.5);
  EXPECT_EQ(Value(0.5).integer(), std::nullopt);
  EXPECT_EQ(*Value("text").text(), "text");
  EXPECT_EQ(Value("text").bytes(), nullptr);
  EXPECT_EQ(Value(List{{1, 2}}).items()->size(), 2u);
  EXPECT_EQ(Value(Tuple{{1}}).items()->size(), 1u);
  EXPECT_EQ(Value(Tuple{{1}}).list(), nullptr);
  EXPECT_EQ(Value(Dict{}).kind(), "a dict");
  EXPECT_EQ(Value(view({}, {}, 0, 1)).kind(), "a tensor");
}

TEST(Value, FindsInADict) {
  Dict dict;
  dict.add("lr", 0.1);
  dict.add(7, "seven");
  const Value value(std::move(dict));
  EXPECT_EQ(value.find("lr")->number(), 0.1);
  EXPECT_EQ(value.find("none"), nullptr);
  EXPECT_EQ(*value.dict()->find(7)->text(), "seven");
  EXPECT_EQ(value.dict()->find(8), nullptr);
  EXPECT_EQ(Value(1).find("lr"), nullptr);
}

TEST(Tensor, KnowsItsElements) {
  const auto tensor =
      make_tensor(Dtype::kInt16, {2, 3}, std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(tensor.strides, (std::vector<int64_t>{3, 1}));
  EXPECT_TRUE(check_tensor(tensor));
  EXPECT_EQ(tensor.count(), 6);
  EXPECT_EQ(tensor.bytes().size(), 12u);
  TensorData row = tensor;
  row.shape = {3};
  row.strides = {1};
  row.offset = 3;
  EXPECT_EQ(row.bytes()[0], 6);
  EXPECT_EQ(view({}, {}, 2, 3).bytes().size(), 4u);
  EXPECT_TRUE(view({0, 3}, {1, 1}, 0, 0).bytes().empty());
}

TEST(Tensor, ViewsInsideTheStorageAreSound) {
  EXPECT_TRUE(check_tensor(view({}, {}, 0, 1)));
  EXPECT_TRUE(check_tensor(view({2, 3}, {1, 2}, 0, 6)));
  EXPECT_TRUE(check_tensor(view({2, 2}, {3, 1}, 1, 6)));
  EXPECT_TRUE(check_tensor(view({5}, {0}, 0, 1)));
  EXPECT_TRUE(check_tensor(view({0}, {1}, 0, 0)));
  EXPECT_TRUE(check_tensor(view({0}, {1}, 6, 6)));
}

TEST(Tensor, ViewsOutsideTheStorageAreNot) {
  EXPECT_FALSE(check_tensor(view({}, {}, 0, 0)));
  EXPECT_FALSE(check_tensor(view({}, {}, 1, 1)));
  EXPECT_FALSE(check_tensor(view({7}, {1}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({2, 2}, {5, 1}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({2}, {1}, -1, 6)));
  EXPECT_FALSE(check_tensor(view({-2}, {1}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({2}, {-1}, 1, 6)));
  EXPECT_FALSE(check_tensor(view({2}, {}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({0}, {1}, 7, 6)));
  EXPECT_FALSE(check_tensor(view({2}, {kHuge}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({2}, {1}, kHuge, 6)));
  EXPECT_FALSE(check_tensor(view({3, 3}, {kHuge / 2, kHuge / 2}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({kHuge, kHuge}, {0, 0}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({kHuge / 2}, {0}, 0, 6)));
  EXPECT_FALSE(check_tensor(view({0, kHuge, kHuge}, {0, 0, 0}, 0, 6)));
  EXPECT_FALSE(check_tensor(view(std::vector<int64_t>(65, 1), std::vector<int64_t>(65, 1), 0, 6)));
  const auto wrong = check_tensor(view({7, 1}, {2, 1}, 3, 6));
  EXPECT_NE(wrong.error().reason.find("shape [7, 1], strides [2, 1], offset 3, storage of 6 x float32"),
            std::string::npos)
      << wrong.error().reason;
}

}  // namespace
}  // namespace nowhere
