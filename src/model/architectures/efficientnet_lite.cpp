#include "model/architectures/efficientnet_lite.h"

#include <fmt/core.h>

#include <array>

namespace nowhere {
namespace {

// The blocks of a stage have one number of output channels; the first of them has the stage's stride.
constexpr std::array<int64_t, 5> kStageStrides = {1, 2, 2, 2, 1};
constexpr std::array<size_t, 3> kStagesWithMaps = {1, 2, 4};  // the last ones of strides 4, 8, 16
constexpr int kMaxBlocks = 64;

class Builder {
 public:
  Builder(const TensorShapes& shapes, int img_size)
      : shapes_(shapes), made_{NetworkDescription({3, img_size, img_size}), {}, {}} {}

  // False when the file lacks a tensor that belongs there.
  bool build() {
    if (!convolve("_conv_stem", "_bn0", 2, true)) return false;
    size_t stage = 0;
    int64_t before = 0;
    for (int block = 0; block < kMaxBlocks; ++block) {
      const auto* project = shape_of(fmt::format("_blocks.{}._project_conv", block));
      if (project == nullptr) return false;
      const int64_t channels = (*project)[0];
      const bool first = block == 0 || channels != before;
      if (first && block > 0 && ++stage == kStageStrides.size()) return true;  // what follows has stride 32
      if (first && block > 0) end_stage(stage - 1);
      if (!add_block(block, first ? kStageStrides[stage] : 1, /*residual=*/!first)) return false;
      before = channels;
    }
    return false;
  }

  EfficientNetLite take() {
    end_stage(kStageStrides.size() - 1);
    return std::move(made_);
  }

 private:
  const std::vector<int64_t>* shape_of(const std::string& name) const {
    const auto found = shapes_.find(name + ".weight");
    return found != shapes_.end() && found->second.size() == 4 ? &found->second : nullptr;
  }

  void end_stage(size_t stage) {
    for (const size_t wanted : kStagesWithMaps)
      if (stage == wanted) made_.maps.push_back(made_.network.last());
  }

  bool add_block(int number, int64_t stride, bool residual) {
    const std::string block = fmt::format("_blocks.{}.", number);
    const size_t input = made_.network.last();
    if (shape_of(block + "_expand_conv") != nullptr &&
        !convolve(block + "_expand_conv", block + "_bn0", 1, true))
      return false;
    if (!convolve(block + "_depthwise_conv", block + "_bn1", stride, true) ||
        !convolve(block + "_project_conv", block + "_bn2", 1, false))
      return false;
    if (residual) made_.network.add(block + "sum", Sum(), {made_.network.last(), input});
    return true;
  }

  bool convolve(const std::string& weight, const std::string& norm, int64_t stride, bool activated) {
    const auto* shape = shape_of(weight);
    const int64_t in = made_.network.output().channels;
    if (shape == nullptr || (*shape)[2] != (*shape)[3] || !shapes_.contains(norm + ".running_var"))
      return false;
    const bool depthwise = (*shape)[1] == 1 && (*shape)[0] == in;
    if (!depthwise && (*shape)[1] != in) return false;
    const int64_t kernel = (*shape)[2];
    // SAME: as much on both sides as the kernel reaches, but for a stride of 2 one less at the beginning.
    const bool halves = stride == 2;
    made_.network.add(weight, Convolution{.channels = (*shape)[0],
                                          .kernel = kernel,
                                          .stride = stride,
                                          .padding = halves ? (kernel - 2) / 2 : (kernel - 1) / 2,
                                          .end_padding = halves ? 1 : 0,
                                          .groups = depthwise ? in : 1,
                                          .bias = true});
    made_.folded.push_back({weight, norm});
    if (activated) made_.network.add(weight + "_relu6", Relu6());
    return true;
  }

  const TensorShapes& shapes_;
  EfficientNetLite made_;
};

}  // namespace

std::optional<EfficientNetLite> describe_efficientnet_lite(const TensorShapes& shapes, int img_size) {
  Builder builder(shapes, img_size);
  if (!builder.build()) return std::nullopt;
  return builder.take();
}

}  // namespace nowhere
