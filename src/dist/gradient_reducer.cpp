#include "dist/gradient_reducer.h"

#include <fmt/core.h>

#include <algorithm>
#include <torch/csrc/distributed/c10d/reducer.hpp>

namespace nowhere {
namespace {

constexpr double kMegabyte = 1 << 20;
constexpr size_t kFirstBucket = c10d::kDefaultFirstBucketBytes;  // a small one, so that sending begins early

// As c10d's hook for fp16, which has none for bf16: compress, divide, sum, and copy back when it arrives.
class Bf16Hook : public c10d::CppCommHookInterface<c10::intrusive_ptr<c10d::ProcessGroup>> {
 public:
  using CppCommHookInterface::CppCommHookInterface;

  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    std::vector<torch::Tensor> small{bucket.getBuffer().to(torch::kBFloat16).div_(state_->getSize())};
    auto work = state_->allreduce(small);
    return work->getFuture()->then(
        [whole = bucket.getBuffer()](c10::ivalue::Future& done) {
          const torch::Tensor received = c10d::detail::parseCppCommHookResult(done.value());
          torch::Tensor(whole).copy_(received);
          return c10::IValue(whole);
        },
        c10::TensorType::get());
  }
};

// Backward passes reach the last parameters first, so these fill the first bucket.
std::vector<std::vector<size_t>> buckets_of(const std::vector<torch::Tensor>& parameters, size_t cap) {
  auto buckets = std::get<0>(c10d::compute_bucket_assignment_by_size(
      parameters, {std::min(kFirstBucket, cap), cap}, std::vector<bool>(parameters.size(), false)));
  std::ranges::reverse(buckets);
  return buckets;
}

}  // namespace

class GradientReducer::Engine : public c10d::Reducer {
 public:
  using Reducer::Reducer;
};

GradientReducer::GradientReducer(Group& group, const torch::nn::Module& network, std::string name,
                                 ReducerOptions options)
    : group_(group), name_(std::move(name)) {
  std::vector<torch::Tensor> parameters;
  std::unordered_map<size_t, std::string> names;
  for (const auto& item : network.named_parameters()) {
    names[parameters.size()] = item.key();
    parameters.push_back(item.value());
  }
  const auto cap = static_cast<size_t>(options.bucket_mb * kMegabyte);
  const std::vector<bool> sparse(parameters.size(), false);
  engine_ = std::make_unique<Engine>(
      parameters, buckets_of(parameters, cap), group_.gradients(), sparse, static_cast<int64_t>(cap),
      /*find_unused_parameters=*/true, /*gradient_as_bucket_view=*/true, names,
      static_cast<int64_t>(kFirstBucket), /*skip_all_reduce_unused_params=*/false,
      /*use_python_reducer=*/false, /*bucket_bytes_cap_list=*/std::vector<int64_t>());
  if (options.compression == GradientCompression::kFp16)
    engine_->register_builtin_comm_hook(c10d::BuiltinCommHookType::FP16_COMPRESS);
  if (options.compression == GradientCompression::kBf16)
    engine_->register_comm_hook(std::make_unique<Bf16Hook>(group_.gradients()));
}

GradientReducer::~GradientReducer() = default;

void GradientReducer::backward(const torch::Tensor& loss) {
  group_.guard(fmt::format("summing the gradients of {}", name_), [&] {
    engine_->prepare_for_forward();
    engine_->prepare_for_backward({loss});
    loss.backward();
  });
}

}  // namespace nowhere
