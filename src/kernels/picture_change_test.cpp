#include "kernels/picture_change.h"

#include "kernels/test_convolution.h"
#include "kernels/test_targets.h"

namespace nowhere {
namespace {

struct ChangeCase {
  int64_t side, colours;
  PictureChange change;
};

std::vector<ChangeCase> change_cases() {
  std::vector<ChangeCase> cases;
  const PictureChange colours{.colour = true, .brightness = 0.25f, .saturation = 1.5f, .contrast = 0.5f};
  for (const int64_t side : {1, 5, 8})
    for (const int64_t count : {1, 3})
      for (const auto& [down, right] :
           std::vector<std::pair<int64_t, int64_t>>{{0, 0}, {1, -2}, {-2, 1}, {side, 0}, {0, -side - 1}})
        for (PictureChange change : {PictureChange(), colours}) {
          change.down = down;
          change.right = right;
          cases.push_back({side, count, change});
        }
  return cases;
}

// Its definition: picture [side, side, colours] -> the same.
Exact changed(const ChangeCase& tested, const Exact& picture) {
  const auto& [side, colours, change] = tested;
  double mean = 0;
  for (const double number : picture) mean += number / static_cast<double>(picture.size());
  Exact out(picture.size());
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) {
      const int64_t from_y = y - change.down, from_x = x - change.right;
      if (from_y < 0 || from_y >= side || from_x < 0 || from_x >= side) continue;
      const double* place = picture.data() + (from_y * side + from_x) * colours;
      double grey = 0;
      for (int64_t c = 0; c < colours; ++c) grey += place[c] / static_cast<double>(colours);
      for (int64_t c = 0; c < colours; ++c)
        out[(y * side + x) * colours + c] =
            change.colour ? change.contrast * (grey + change.saturation * (place[c] - grey)) +
                                (1 - change.contrast) * mean + change.brightness
                          : place[c];
    }
  return out;
}

// The change is linear but for a constant, so its gradient follows from what each number alone changes.
Exact exact_gradient(const ChangeCase& tested, const Exact& gradient) {
  Exact result, none(gradient.size());
  const Exact before = changed(tested, none);
  for (size_t i = 0; i < gradient.size(); ++i) {
    Exact one = none;
    one[i] = 1;
    const Exact after = changed(tested, one);
    double sum = 0;
    for (size_t k = 0; k < gradient.size(); ++k) sum += gradient[k] * (after[k] - before[k]);
    result.push_back(sum);
  }
  return result;
}

TEST(PictureChange, IsItsDefinitionInAnyLayout) {
  for (const ChangeCase& tested : change_cases()) {
    const auto& [side, colours, change] = tested;
    const std::vector<float> picture = test_numbers(side * side * colours, 1);
    std::vector<float> planes(picture.size()), out(picture.size()), again(picture.size());
    for (size_t i = 0; i < picture.size(); ++i) planes[i % colours * side * side + i / colours] = picture[i];
    change_picture({picture.data(), 1, side * colours, colours}, side, colours, change, out.data());
    EXPECT_LT(error_of(out, 1, changed(tested, exact(picture))), kExactEnough);
    change_picture({planes.data(), side * side, side, 1}, side, colours, change, again.data());
    EXPECT_EQ(out, again);
  }
}

TEST(PictureChange, IsAddedToNoise) {
  for (const ChangeCase& tested : change_cases()) {
    const auto& [side, colours, change] = tested;
    const std::vector<float> picture = test_numbers(side * side * colours, 1),
                             noise = test_numbers(side * side * colours, 2);
    std::vector<float> plain(picture.size()), sum = noise;
    PictureChange added = change;
    added.added = true;
    const PictureView view{picture.data(), 1, side * colours, colours};
    change_picture(view, side, colours, change, plain.data());
    change_picture(view, side, colours, added, sum.data());
    for (size_t i = 0; i < sum.size(); ++i) ASSERT_EQ(sum[i], noise[i] + plain[i]) << i;
    change_picture_gradient(view, side, colours, change, plain.data());
    change_picture_gradient(view, side, colours, added, sum.data());
    EXPECT_EQ(plain, sum);
  }
}

TEST(PictureChange, HasItsGradient) {
  for (const ChangeCase& tested : change_cases()) {
    const auto& [side, colours, change] = tested;
    const std::vector<float> gradient = test_numbers(side * side * colours, 2);
    std::vector<float> out(gradient.size());
    change_picture_gradient({gradient.data(), 1, side * colours, colours}, side, colours, change, out.data());
    EXPECT_LT(error_of(out, 1, exact_gradient(tested, exact(gradient))), kExactEnough)
        << side << " px, " << change.down << " down, " << change.right << " right";
  }
}

}  // namespace
}  // namespace nowhere
