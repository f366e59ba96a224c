#include "dist/group.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "dist/equality.h"
#include "dist/test_ranks.h"

namespace nowhere {
namespace {

std::string message(const std::exception_ptr& thrown) {
  if (!thrown) return "nothing was thrown";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(Group, TextsComeByRank) {
  on_ranks(3, [](Group& group) {
    const auto texts = group.gather("names", "I am " + std::to_string(group.rank()));
    EXPECT_EQ(texts, (std::vector<std::string>{"I am 0", "I am 1", "I am 2"}));
    EXPECT_EQ(group.broadcast(group.is_main() ? "a word" : "", "a word"), "a word");
    EXPECT_EQ(group.broadcast("", "nothing"), "");
    EXPECT_NE(group.name_of(1).find("rank 1 (host "), std::string::npos) << group.name_of(1);
  });
}

TEST(Group, EverybodyGetsTheTensorsOfRankZero) {
  on_ranks(2, [](Group& group) {
    const auto value = static_cast<float>(group.rank() + 1);
    // As weights lie in memory, and a count.
    const torch::Tensor weights = torch::full({2, 3, 4, 4}, value).contiguous(at::MemoryFormat::ChannelsLast);
    const torch::Tensor count = torch::tensor(int64_t{group.rank()});
    group.broadcast({weights, count}, "the networks");
    EXPECT_TRUE(weights.eq(1).all().item<bool>());
    EXPECT_EQ(count.item<int64_t>(), 0);
  });
}

TEST(Group, Reduces) {
  on_ranks(3, [](Group& group) {
    torch::Tensor sum = torch::tensor({1.0, 1.0 * group.rank()}, torch::kDouble);
    torch::Tensor least = torch::tensor({int64_t{5} + group.rank()});
    torch::Tensor most = least.clone();
    group.reduce(sum, Reduction::kSum, "a sum");
    group.reduce(least, Reduction::kMin, "the least");
    group.reduce(most, Reduction::kMax, "the most");
    EXPECT_EQ(sum[0].item<double>(), 3);
    EXPECT_EQ(sum[1].item<double>(), 3);
    EXPECT_EQ(least.item<int64_t>(), 5);
    EXPECT_EQ(most.item<int64_t>(), 7);
  });
}

// y = (sum over ranks of x)^2: each rank's x has the gradient of all ranks' losses, and so on for the second.
TEST(Group, GradientsFlowThroughStatisticsTwice) {
  on_ranks(2,
           [](Group& group) {
             const torch::Tensor x = torch::full({1}, 2.0 + group.rank(), torch::requires_grad());
             const torch::Tensor y = group.sum_statistics(x).square();
             const torch::Tensor first = torch::autograd::grad({y}, {x}, {}, true, true)[0];
             EXPECT_EQ(first.item<float>(), 20);  // 2 ranks x 2 (2 + 3)
             const torch::Tensor second = torch::autograd::grad({first}, {x})[0];
             EXPECT_EQ(second.item<float>(), 8);  // 2 ranks x 2 ranks x 2
           },
           {.timeout = std::chrono::seconds(60), .statistics = true});
}

TEST(Group, TheTensorThatDiffersIsNamed) {
  on_ranks(2, [](Group& group) {
    NamedTensors tensors{{"a", torch::ones({3})}, {"b", torch::zeros({2, 2})}, {"c", torch::ones({1})}};
    EXPECT_EQ(first_difference(group, tensors), std::nullopt);
    // The least change there is, on one rank only.
    if (group.rank() == 1) tensors[1].second[1][0] = 1e-45;
    EXPECT_EQ(first_difference(group, tensors), "b");
    EXPECT_EQ(first_other_text(group, "same", "x"), std::nullopt);
    EXPECT_EQ(first_other_text(group, "other", group.rank() == 1 ? "y" : "x"), 1);
  });
}

TEST(Group, WhoeverIsMissingIsNamed) {
  const auto thrown = try_ranks(2,
                                [](Group& group) {
                                  if (group.rank() == 1) return;  // goes without a word
                                  torch::Tensor number = torch::ones({1});
                                  group.reduce(number, Reduction::kSum, "adding up a number");
                                },
                                {.timeout = std::chrono::seconds(5)});
  const std::string text = message(thrown[0]);
  EXPECT_NE(text.find("rank 1 (host "), std::string::npos) << text;
  EXPECT_NE(text.find("does not answer"), std::string::npos) << text;
  EXPECT_NE(text.find("adding up a number"), std::string::npos) << text;
}

TEST(Group, WhoeverLeavesIsQuoted) {
  const auto thrown = try_ranks(2,
                                [](Group& group) {
                                  if (group.rank() == 1) return group.leave("the disk is full");
                                  torch::Tensor number = torch::ones({1});
                                  group.reduce(number, Reduction::kSum, "adding up a number");
                                },
                                {.timeout = std::chrono::seconds(5)});
  const std::string text = message(thrown[0]);
  EXPECT_NE(text.find("stopped: the disk is full"), std::string::npos) << text;
}

TEST(Group, WhoeverDoesNotComeIsNamed) {
  const auto [socket, port] = listen_somewhere();
  World world{.rank = 0, .size = 2, .local_rank = 0, .local_size = 2};
  world.address = "127.0.0.1";
  world.port = port;
  world.listening = socket;
  try {
    Group group(world, torch::kCPU, {.timeout = std::chrono::milliseconds(300)});
    FAIL() << "rank 1 never came";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("rank 1 of 2 did not come"), std::string::npos) << text;
    EXPECT_NE(text.find("--dist-timeout"), std::string::npos) << text;
  }
}

TEST(Group, AStoreThatIsNotThereIsNamed) {
  const auto [socket, port] = listen_somewhere();
  ::close(socket);
  World world{.rank = 1, .size = 2, .local_rank = 1, .local_size = 2};
  world.address = "127.0.0.1";
  world.port = port;
  try {
    Group group(world, torch::kCPU, {.timeout = std::chrono::milliseconds(300)});
    FAIL() << "there is no store";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("rank 1 cannot reach the store of rank 0 at 127.0.0.1:"), std::string::npos) << text;
  }
}

// What is thrown for another reason than the group's stays as it is.
TEST(Group, OwnErrorsPass) {
  on_ranks(1, [](Group& group) {
    EXPECT_THROW(group.guard("something", [] { throw data_error("no photographs"); }), Error);
  });
}

}  // namespace
}  // namespace nowhere
