#include "dist/equality.h"

namespace nowhere {
namespace {

// The sum of the bits as whole numbers: a scalar on the tensor's device.
torch::Tensor checksum(const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach();
  return (values.is_floating_point() ? values.to(torch::kFloat).view(torch::kInt) : values).sum(torch::kLong);
}

}  // namespace

std::optional<std::string> first_difference(Group& group, const NamedTensors& tensors) {
  if (group.size() == 1 || tensors.empty()) return std::nullopt;
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> sums;
  for (const auto& [name, tensor] : tensors) sums.push_back(checksum(tensor));
  const torch::Tensor own = torch::stack(sums).cpu();
  // The least of the sums and of their opposites: one message for the least and the largest.
  torch::Tensor least = torch::cat({own, -own});
  group.reduce(least, Reduction::kMin, "comparing weights");
  const std::vector<torch::Tensor> ends = least.chunk(2);
  const torch::Tensor differ = (ends[0] != -ends[1]).nonzero();
  if (differ.numel() == 0) return std::nullopt;
  return tensors[static_cast<size_t>(differ[0].item<int64_t>())].first;
}

std::optional<int> first_other_text(Group& group, const std::string& name, const std::string& text) {
  const std::vector<std::string> texts = group.gather(name, text);
  for (size_t rank = 1; rank < texts.size(); ++rank)
    if (texts[rank] != texts[0]) return static_cast<int>(rank);
  return std::nullopt;
}

}  // namespace nowhere
