// The C++ side of tests/test_scores.py: takes pictures and features that Python made, gives back every score
// of them.
#include <torch/serialize.h>

#include <fstream>
#include <iterator>

#include "eval/birthday.h"
#include "eval/diversity.h"
#include "eval/frechet.h"
#include "eval/kernel_distance.h"
#include "eval/manifold.h"
#include "eval/nearest.h"
#include "eval/parzen.h"
#include "eval/subset.h"

namespace nowhere {
namespace {

using Tensors = c10::Dict<std::string, torch::Tensor>;

std::vector<char> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

torch::Tensor row(const std::vector<double>& values) {
  return torch::tensor(values, torch::kFloat64);
}

// Chunks of unlike sizes, as they would come from a generator.
std::vector<torch::Tensor> chunks(const torch::Tensor& points) {
  return points.split_with_sizes({1, 7, points.size(0) - 8});
}

torch::Tensor parzen(const Tensors& in, int64_t scratch_bytes) {
  const torch::Tensor sigmas = in.at("sigmas");
  ParzenWindow window(in.at("points"),
                      {sigmas.data_ptr<double>(), sigmas.data_ptr<double>() + sigmas.numel()}, scratch_bytes);
  for (const auto& chunk : chunks(in.at("centres"))) window.add(chunk);
  return window.result();
}

double frechet(const torch::Tensor& real, const torch::Tensor& generated) {
  FeatureMoments of_real, of_generated;
  for (const auto& chunk : chunks(real)) of_real.add(chunk);
  for (const auto& chunk : chunks(generated)) of_generated.add(chunk);
  return frechet_distance(of_real.gaussian(), of_generated.gaussian());
}

void kernel(const torch::Tensor& real, const torch::Tensor& generated, Tensors& out) {
  const KernelDistanceOptions options{.subsets = 8, .subset_size = 50, .seed = 3};
  const KernelDistance distance = kernel_distance(real, generated, options);
  out.insert("kernel", row({distance.mean, distance.deviation}));
  out.insert("kernel_all", row({squared_discrepancy(real, generated)}));
  const auto subsets = [&](const torch::Tensor& features, Draw side) {
    std::vector<torch::Tensor> rows;
    for (uint64_t i = 0; i < 8; ++i) rows.push_back(draw_rows(features.size(0), 50, options.seed, side, i));
    return torch::stack(rows);
  };
  out.insert("subsets_real", subsets(real, Draw::kKernelReal));
  out.insert("subsets_generated", subsets(generated, Draw::kKernelGenerated));
}

void nearest(const torch::Tensor& queries, const torch::Tensor& references, Tensors& out) {
  NearestNeighbours found(queries, Exclude::kNothing, 20'000);
  NearestNeighbours others(references, Exclude::kOwnIndex, 20'000);
  int64_t first = 0;
  for (const auto& chunk : chunks(references)) {
    found.add(chunk, first);
    others.add(chunk, first);
    first += chunk.size(0);
  }
  out.insert("nearest_distances", found.result().distances);
  out.insert("nearest_indices", found.result().indices);
  out.insert("others_distances", others.result().distances);
  out.insert("others_indices", others.result().indices);
}

void run(const char* input, const char* output) {
  Tensors in, out;
  for (const auto& item : torch::pickle_load(read(input)).toGenericDict())
    in.insert(item.key().toStringRef(), item.value().toTensor());
  const torch::Tensor real = in.at("real"), generated = in.at("generated");  // [N,d], [M,d]
  out.insert("parzen", parzen(in, kScratchBytes));
  out.insert("parzen_small", parzen(in, 50'000));
  out.insert("frechet", row({frechet(real, generated)}));
  kernel(real, generated, out);
  const ManifoldOverlap scores = manifold_scores(real, generated, {.scratch_bytes = 20'000});
  out.insert("manifold", row({scores.precision, scores.recall, scores.density, scores.coverage}));
  nearest(generated, real, out);
  const Diversity diversity = pairwise_diversity(generated, real, 20'000);
  out.insert("diversity", row({diversity.generated, diversity.real, diversity.ratio}));
  const ClosestPair pair = closest_pair(generated, 20'000);
  out.insert("closest",
             row({static_cast<double>(pair.first), static_cast<double>(pair.second), pair.distance}));
  const std::vector<char> bytes = torch::pickle_save(out);
  std::ofstream(output, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace
}  // namespace nowhere

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  nowhere::run(argv[1], argv[2]);
  return 0;
}
