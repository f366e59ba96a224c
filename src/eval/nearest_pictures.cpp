#include <fmt/core.h>

#include "core/file.h"
#include "eval/evaluation_parts.h"
#include "image/encode.h"
#include "image/grid.h"
#include "image/label.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

constexpr int64_t kWorstPairs = 8;
constexpr uint8_t kPaper = 255;

Image grid_of(const torch::Tensor& bytes, int columns) {
  return make_grid(to_images(to_signed(bytes)), columns, 2, kPaper);
}

// Two rows: the samples, and below each its photograph.
std::vector<uint8_t> pairs_picture(const std::vector<NearPair>& pairs, const PictureSet& samples,
                                   const PictureSet& training) {
  std::vector<int64_t> of_samples, of_training;
  for (const NearPair& pair : pairs) {
    of_samples.push_back(pair.sample);
    of_training.push_back(pair.training);
  }
  const torch::Tensor both = torch::cat({samples.some(of_samples), training.some(of_training)});
  return encode_png(grid_of(both, static_cast<int>(pairs.size())));
}

double middle(const torch::Tensor& distances) {
  return distances.median().item<double>();
}

}  // namespace

NearestPictures::NearestPictures(const SampleStore& generated, const SampleStore& held_out,
                                 torch::Tensor sequences, int64_t scratch_bytes)
    : sequences_(std::move(sequences)) {
  spaces_.push_back({false, NearestNeighbours(generated.thumbnails(), Exclude::kNothing, scratch_bytes),
                     NearestNeighbours(held_out.thumbnails(), Exclude::kNothing, scratch_bytes)});
  if (generated.moments().count() > 0)
    spaces_.push_back({true, NearestNeighbours(generated.features(), Exclude::kNothing, scratch_bytes),
                       NearestNeighbours(held_out.features(), Exclude::kNothing, scratch_bytes)});
}

void NearestPictures::add(const FeatureChunk& pictures, int64_t first) {
  torch::Tensor groups;
  if (sequences_.defined())
    groups = sequences_.index_select(
        0, torch::arange(first, first + pictures.bytes.size(0)).remainder(sequences_.size(0)));
  for (Space& space : spaces_) {
    const torch::Tensor rows = space.of_features ? pictures.features : thumbnails(pictures.bytes);
    space.samples.add(rows, first, groups);
    space.held_out.add(rows, first, groups);
  }
}

std::vector<MemorisationScores> NearestPictures::judge(const PictureSet& samples,
                                                       const PictureSet& training) const {
  std::vector<MemorisationScores> scores;
  for (const Space& space : spaces_) {
    const Memorisation found =
        judge_memorisation(space.samples.result(), space.held_out.result(), kWorstPairs, nearness());
    scores.push_back(
        {.space = space.of_features ? "features" : fmt::format("pixels at {} px", kThumbnailSide),
         .relative = nearness() == Nearness::kRelative,
         .nearer_than_any = found.share_below_smallest,
         .nearer_than_1st_percentile = found.share_below_percentile,
         .sample_median = middle(space.samples.result().distances),
         .held_out_median = middle(space.held_out.result().distances),
         .worst_pairs_file = space.of_features ? "nearest_features.png" : "nearest_pixels.png",
         .worst_pairs_png = pairs_picture(found.worst, samples, training)});
  }
  return scores;
}

Figure comparison_figure(const torch::Tensor& real, const torch::Tensor& generated) {
  static constexpr int64_t kShown = 64;
  constexpr int kColumns = 8;
  const auto some = [](const torch::Tensor& bytes) {
    return bytes.narrow(0, 0, std::min(kShown, bytes.size(0)));  // in drawn order, or of rising seeds
  };
  const Image photographs = grid_of(some(real), kColumns), fakes = grid_of(some(generated), kColumns);
  Figure figure;
  figure.title = "Photographs and samples.";
  figure.caption =
      "Left: photographs as training sees them. Right: what the generator makes of seeds 0, 1, 2, ...";
  figure.bytes = encode_png(side_by_side({{"photographs", &photographs}, {"generated", &fakes}}));
  return figure;
}

}  // namespace nowhere
