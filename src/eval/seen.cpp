#include "eval/seen.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/parallel.h"
#include "core/signals.h"
#include "eval/nearest.h"
#include "eval/sample_store.h"
#include "image/resize.h"

namespace nowhere {
namespace {

constexpr int kSide = static_cast<int>(kThumbnailSide);
constexpr int kMostPixels = 128;  // of a frame's shorter side: more would not show in a thumbnail
constexpr int64_t kValues = kThumbnailSide * kThumbnailSide * kChannels;

// Frames, squeezed into thumbnails.
struct FrameThumbnails {
  torch::Tensor rows;            // [n,768] in [0,1]
  std::vector<uint32_t> photos;  // which: those that could be read
};

// The shorter side of the first frame that can be read, in pixels.
int short_side_of(const Source& source, std::span<const uint32_t> photos) {
  Source::Scratch scratch;
  for (uint32_t number : photos)
    if (const auto frame = source.frame(number, {kMostPixels}, scratch))
      return std::min({frame->view.width, frame->view.height, kMostPixels});
  return kMostPixels;
}

// How photographs are made alike before they are compared.
struct CommonForm {
  int short_side = 0;  // pixels
  CropSize crop;       // of which a packed file may hold the middle rows only
};

// Frames are shrunk first, as packing shrinks them: from there on, the photographs of a folder and those of
// its pack take the same way.
FrameThumbnails read_thumbnails(const Source& source, std::span<const uint32_t> photos,
                                const CommonForm& form, int threads) {
  constexpr size_t kChunk = 32;
  torch::Tensor bytes = torch::empty({static_cast<int64_t>(photos.size()), kValues}, torch::kUInt8);
  uint8_t* out = bytes.data_ptr<uint8_t>();
  std::vector<uint8_t> readable(photos.size());
  const auto read = [&](size_t begin, size_t end) {
    Source::Scratch scratch;
    Resizer resizer;
    for (size_t i = begin; i < end && !stop_requested(); ++i) {
      const auto frame = source.frame(photos[i], {form.short_side, form.crop}, scratch);
      if (!frame) continue;
      const bool as_it_is = source.crop_size() == form.crop;
      const ImageView whole = as_it_is ? frame->view : middle_rows(*frame, form.crop);
      const auto [width, height] = fit_short_side(whole.width, whole.height, form.short_side);
      Image small;
      if (width < whole.width) small = resizer.resize(whole, width, height);
      const ImageView view = width < whole.width ? small.view() : whole;
      resizer.resize(view, {0, 0, view.width, view.height}, kSide, kSide, /*flip=*/false,
                     out + i * static_cast<size_t>(kValues));
      readable[i] = 1;
    }
  };
  parallel_chunks(photos.size(), kChunk, threads, read, [](int64_t) {});
  if (stop_requested()) throw Stopped();
  FrameThumbnails thumbnails;
  std::vector<int64_t> rows;
  for (size_t i = 0; i < photos.size(); ++i)
    if (readable[i] != 0) {
      rows.push_back(static_cast<int64_t>(i));
      thumbnails.photos.push_back(photos[i]);
    }
  thumbnails.rows = bytes.index_select(0, torch::tensor(rows, torch::kLong)).to(torch::kFloat).div(255);
  return thumbnails;
}

// How far a photograph may be from itself after it was shrunk and coded again, which costs more where there
// is more contrast. The frames of CamVid, packed as JPEGs of 32 pixels or more, move by at most 1.2 steps of
// a byte; 6 of the 530 have another frame within the limit, taken by a car that waits. In smaller frames
// fewer pixels share the loss. [n]
torch::Tensor same_within(const torch::Tensor& rows, int short_side) {
  constexpr double kOfContrast = 0.01, kUsualPixels = 32;
  const double loss = std::max(1.0, std::pow(kUsualPixels / short_side, 2));
  const torch::Tensor contrast = rows.to(torch::kFloat64).std(1, /*unbiased=*/false);
  return (contrast * kOfContrast + kSameThumbnail) * (loss * std::sqrt(static_cast<double>(kValues)));
}

// Those with a name that is looked for come first: where all are found among them, the rest is not read.
std::vector<uint32_t> likely_first(const Photos& training, std::vector<uint32_t> photos, const Photos& judged,
                                   const std::vector<uint32_t>& wanted) {
  std::unordered_set<std::string_view> names;
  for (uint32_t number : wanted) names.insert(judged.file_name(judged.all[number]));
  std::stable_partition(photos.begin(), photos.end(), [&](uint32_t number) {
    return names.contains(training.file_name(training.all[number]));
  });
  return photos;
}

using Flags = std::unordered_map<uint32_t, bool>;  // by number in `judged`; without those that cannot be read

Flags seen_by_content(const DrawnSource& judged, const std::vector<uint32_t>& wanted,
                      const TrainingData& training, int threads,
                      const std::function<void(int64_t, int64_t)>& progress) {
  constexpr size_t kAtOnce = 2048;
  const CropSize ours = judged.crop_size(), theirs = training.source->crop_size();
  if (!ours.is_full() && !theirs.is_full() && ours != theirs) return {};  // no rows to compare for sure
  const CommonForm form{
      std::min(short_side_of(judged, wanted), short_side_of(*training.source, training.photos)),
      ours.is_full() ? theirs : ours};
  const FrameThumbnails looked_for = read_thumbnails(judged, wanted, form, threads);
  Flags flags;
  if (looked_for.photos.empty()) return flags;
  const torch::Tensor limits = same_within(looked_for.rows, form.short_side);
  NearestNeighbours nearest(looked_for.rows);
  const std::vector<uint32_t> photos =
      likely_first(training.source->photos(), training.photos, judged.photos(), wanted);
  for (size_t done = 0; done < photos.size();) {
    const auto some = std::span(photos).subspan(done, std::min(kAtOnce, photos.size() - done));
    nearest.add(read_thumbnails(*training.source, some, form, threads).rows, static_cast<int64_t>(done));
    done += some.size();
    progress(static_cast<int64_t>(done), static_cast<int64_t>(photos.size()));
    if ((nearest.result().distances <= limits).all().item<bool>()) break;
  }
  const torch::Tensor seen = nearest.result().distances <= limits;
  for (size_t i = 0; i < looked_for.photos.size(); ++i)
    flags[looked_for.photos[i]] = seen[static_cast<int64_t>(i)].item<bool>();
  return flags;
}

Flags seen_by_number(const DrawnSource& judged, const std::vector<uint32_t>& wanted,
                     const TrainingData& training) {
  const std::unordered_set<uint32_t> trained(training.photos.begin(), training.photos.end());
  Flags flags;
  for (uint32_t number : wanted) flags[number] = trained.contains(judged.number_in_source(number));
  return flags;
}

SeenPhotographs counts_of(const std::vector<uint32_t>& photos, const Flags& flags) {
  SeenPhotographs counts;
  for (uint32_t number : photos)
    if (const auto found = flags.find(number); found != flags.end()) {
      ++counts.compared;
      if (found->second) ++counts.seen;
    }
  return counts;
}

// Whether every held-out photograph and every training photograph has a sequence, and none the same.
bool sequences_apart(const Photos& judged, const std::vector<uint32_t>& held_out,
                     const TrainingData& training) {
  const Photos& trained = training.source->photos();
  std::set<std::string_view> sequences;
  uint32_t last = kNoString;  // frames of one sequence stand together in a folder's table
  for (uint32_t number : training.photos) {
    const Photo& photo = trained.all[number];
    if (photo.sequence == kNoString) return false;
    if (photo.sequence != last) sequences.insert(trained.sequence(photo));
    last = photo.sequence;
  }
  return std::all_of(held_out.begin(), held_out.end(), [&](uint32_t number) {
    const Photo& photo = judged.all[number];
    return photo.sequence != kNoString && !sequences.contains(judged.sequence(photo));
  });
}

}  // namespace

SeenInTraining seen_in_training(const DrawnSource& judged, const std::vector<uint32_t>& held_out,
                                const std::vector<uint32_t>& train, const TrainingData& training, int threads,
                                const std::function<void(int64_t, int64_t)>& progress) {
  std::vector<uint32_t> wanted = held_out;
  wanted.insert(wanted.end(), train.begin(), train.end());
  const Flags flags = training.source == &judged.source()
                          ? seen_by_number(judged, wanted, training)
                          : seen_by_content(judged, wanted, training, threads, progress);
  return {counts_of(held_out, flags), counts_of(train, flags),
          sequences_apart(judged.photos(), held_out, training)};
}

HeldOut held_out_by(const SeenInTraining& seen) {
  if (seen.held_out.compared == 0) return HeldOut::kUnknown;
  if (100 * seen.held_out.seen > seen.held_out.compared) return HeldOut::kNothing;
  return seen.sequences_apart ? HeldOut::kSequences : HeldOut::kFiles;
}

}  // namespace nowhere
