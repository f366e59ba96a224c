#include "dist/gradient_reducer.h"

#include <gtest/gtest.h>

#include "dist/test_ranks.h"

namespace nowhere {
namespace {

namespace nn = torch::nn;

// A small network whose weights are those of its seed, and inputs that are those of a row.
nn::Sequential network() {
  torch::manual_seed(7);
  nn::Sequential made(nn::Conv2d(nn::Conv2dOptions(2, 4, 3).padding(1)), nn::Tanh(),
                      nn::Conv2d(nn::Conv2dOptions(4, 1, 3)));
  made->to(torch::kFloat);
  return made;
}

torch::Tensor inputs(int64_t from, int64_t count) {
  return torch::sin(torch::arange(from * 72, (from + count) * 72, torch::kFloat)).view({count, 2, 6, 6});
}

torch::Tensor loss_of(nn::Sequential& made, const torch::Tensor& pictures) {
  return made->forward(pictures).square().mean();
}

// The gradients of all parameters in one row.
torch::Tensor gradients(const nn::Sequential& made) {
  std::vector<torch::Tensor> all;
  for (const torch::Tensor& parameter : made->parameters()) all.push_back(parameter.grad().flatten());
  return torch::cat(all);
}

double relative_error(const torch::Tensor& found, const torch::Tensor& expected) {
  return ((found - expected).norm() / expected.norm()).item<double>();
}

// Threads share LibTorch's random numbers, so networks are made one at a time.
nn::Sequential network_of_rank() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return network();
}

class Reducer : public testing::TestWithParam<double> {};

TEST_P(Reducer, TwoRanksGiveTheGradientsOfOneWithBothBatches) {
  nn::Sequential alone = network();
  loss_of(alone, inputs(0, 8)).backward();
  const torch::Tensor expected = gradients(alone);
  on_ranks(2, [&](Group& group) {
    nn::Sequential made = network_of_rank();
    GradientReducer reducer(group, *made, "D", {.bucket_mb = GetParam()});
    for (int step = 0; step < 3; ++step) {  // buckets are used again
      for (torch::Tensor& parameter : made->parameters()) parameter.mutable_grad() = torch::Tensor();
      reducer.backward(loss_of(made, inputs(4 * group.rank(), 4)));
      EXPECT_LT(relative_error(gradients(made), expected), 1e-5);
    }
  });
}

// One bucket for all, and one for each parameter.
INSTANTIATE_TEST_SUITE_P(Buckets, Reducer, testing::Values(25, 0.0001));

TEST(ReducerCases, GradientsWith16BitsAreNear) {
  nn::Sequential alone = network();
  loss_of(alone, inputs(0, 8)).backward();
  const torch::Tensor expected = gradients(alone);
  for (const GradientCompression compression : {GradientCompression::kFp16, GradientCompression::kBf16})
    on_ranks(2, [&](Group& group) {
      const double near = compression == GradientCompression::kFp16 ? 2e-3 : 2e-2;
      nn::Sequential made = network_of_rank();
      GradientReducer reducer(group, *made, "D", {.compression = compression});
      for (int step = 0; step < 2; ++step) {
        for (torch::Tensor& parameter : made->parameters()) parameter.mutable_grad() = torch::Tensor();
        reducer.backward(loss_of(made, inputs(4 * group.rank(), 4)));
        const double error = relative_error(gradients(made), expected);
        EXPECT_LT(error, near);
        EXPECT_GT(error, 1e-6);  // they were shortened
      }
    });
}

// R1: the loss holds a derivative, so its backward pass goes through the network twice.
TEST(ReducerCases, SecondDerivatives) {
  const auto penalised = [](nn::Sequential& made, const torch::Tensor& pictures) {
    const torch::Tensor real = pictures.clone().requires_grad_();
    const torch::Tensor logits = made->forward(real);
    const torch::Tensor slope = torch::autograd::grad({logits.sum()}, {real}, {}, true, true)[0];
    return logits.square().mean() + slope.square().sum({1, 2, 3}).mean();
  };
  nn::Sequential alone = network();
  penalised(alone, inputs(0, 8)).backward();
  const torch::Tensor expected = gradients(alone);
  on_ranks(2, [&](Group& group) {
    nn::Sequential made = network_of_rank();
    GradientReducer reducer(group, *made, "D", {});
    for (int step = 0; step < 2; ++step) {
      for (torch::Tensor& parameter : made->parameters()) parameter.mutable_grad() = torch::Tensor();
      reducer.backward(penalised(made, inputs(4 * group.rank(), 4)));
      EXPECT_LT(relative_error(gradients(made), expected), 1e-5);
    }
  });
}

// D is frozen in G's step: G's gradients are summed, D's stay as they are, and D's next step works.
TEST(ReducerCases, ANetworkThatIsFrozenIsLeftAlone) {
  on_ranks(2, [&](Group& group) {
    nn::Sequential d = network_of_rank();
    nn::Conv2d g(nn::Conv2dOptions(2, 2, 1));
    torch::nn::init::constant_(g->weight, 0.3);
    torch::nn::init::constant_(g->bias, 0.1);
    GradientReducer of_d(group, *d, "D", {}), of_g(group, *g, "G", {});
    for (int step = 0; step < 2; ++step) {
      const torch::Tensor fake = g->forward(inputs(4 * group.rank(), 4));  // one graph for both updates
      for (torch::Tensor& parameter : d->parameters()) parameter.mutable_grad() = torch::Tensor();
      of_d.backward(loss_of(d, fake.detach()));
      const torch::Tensor before = gradients(d).clone();
      for (torch::Tensor& parameter : d->parameters()) parameter.requires_grad_(false);
      g->zero_grad();
      of_g.backward(loss_of(d, fake));
      for (torch::Tensor& parameter : d->parameters()) parameter.requires_grad_(true);
      EXPECT_TRUE(gradients(d).equal(before));
      EXPECT_GT(g->weight.grad().norm().item<double>(), 0);
    }
  });
}

// A parameter that no rank uses has no gradient; one that a single rank uses has half of what that rank
// found.
TEST(ReducerCases, ParametersWithoutAGradient) {
  on_ranks(2, [&](Group& group) {
    nn::Sequential made = network_of_rank();
    made->push_back(nn::Conv2d(nn::Conv2dOptions(1, 1, 1)));  // never used
    made->push_back(nn::Conv2d(nn::Conv2dOptions(1, 1, 1)));  // used by rank 1
    auto& sometimes = *made[4]->as<nn::Conv2d>();
    GradientReducer reducer(group, *made, "D", {});
    for (int step = 0; step < 2; ++step) {
      made->zero_grad();
      torch::Tensor maps = made[2]->as<nn::Conv2d>()->forward(
          made[0]->as<nn::Conv2d>()->forward(inputs(4 * group.rank(), 4)).tanh());
      if (group.rank() == 1) maps = sometimes.forward(maps);
      reducer.backward(maps.square().mean());
      EXPECT_FALSE(made[3]->as<nn::Conv2d>()->weight.grad().defined());
      torch::Tensor own = sometimes.weight.grad().clone();
      torch::Tensor least = own.clone();
      group.reduce(least, Reduction::kMin, "the least gradient");
      EXPECT_TRUE(least.equal(own));  // the same on both
      EXPECT_NE(own.norm().item<double>(), 0);
    }
  });
}

}  // namespace
}  // namespace nowhere
