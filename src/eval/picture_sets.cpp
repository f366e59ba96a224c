#include "eval/picture_sets.h"

#include <algorithm>

#include "core/error.h"
#include "core/signals.h"
#include "data/loader.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

// Pictures in a chunk: fewer where they are large.
int64_t chunk_of(int64_t size) {
  constexpr int64_t kBytes = 16'000'000;
  return std::clamp<int64_t>(kBytes / (size * size * kChannels), 16, 256);
}

void stop_if_asked() {
  if (stop_requested()) throw Stopped();
}

}  // namespace

Photographs::Photographs(const Source& source, std::vector<uint32_t> photos, Setting setting)
    : source_(source), photos_(std::move(photos)), setting_(setting) {}

int64_t Photographs::size() const {
  return static_cast<int64_t>(photos_.size()) * setting_.crops;
}

// An epoch's number decides on the crop. All photographs take part however few are read: one that cannot be
// decoded is replaced by another of them, the same every time.
void Photographs::load(Span span,
                       const std::function<bool(const torch::Tensor& bytes, int64_t first)>& reader) const {
  LoaderConfig config{.sample = {.size = setting_.size, .augment = setting_.augment},
                      .batch = span.batch,
                      .pixels = PixelType::kByte};
  config.threads = setting_.threads;
  config.ahead = 2;
  config.drop_last = false;
  config.epochs = span.crops;
  Loader loader(source_, Sampler(source_.photos(), photos_, {.seed = setting_.seed, .shuffle = false}),
                config, {setting_.seed, span.crop, span.first});
  int64_t first = 0;
  while (const auto batch = loader.next()) {
    stop_if_asked();
    const torch::Tensor bytes = byte_batch(*batch, setting_.size);
    if (!reader(setting_.grey ? to_grey(bytes) : bytes.clone(), first)) return;
    first += static_cast<int64_t>(batch->count);
  }
}

void Photographs::read(const ChunkReader& reader) const {
  load({.batch = static_cast<int>(chunk_of(setting_.size)), .crops = static_cast<uint64_t>(setting_.crops)},
       [&](const torch::Tensor& bytes, int64_t first) { return reader(bytes, first), true; });
}

torch::Tensor Photographs::some(const std::vector<int64_t>& numbers) const {
  const auto count = static_cast<int64_t>(photos_.size());
  std::vector<torch::Tensor> pictures;
  for (int64_t number : numbers) {
    const auto crop = static_cast<uint64_t>(number / count);
    load({.crop = crop, .first = static_cast<uint64_t>(number % count), .crops = crop + 1},
         [&](const torch::Tensor& bytes, int64_t) { return pictures.push_back(bytes), false; });
  }
  return torch::cat(pictures);
}

void Samples::read(const ChunkReader& reader) const {
  const int64_t chunk = chunk_of(facts_.picture_size);
  for (int64_t first = 0; first < count_; first += chunk) {
    stop_if_asked();
    std::vector<int64_t> numbers(static_cast<size_t>(std::min(chunk, count_ - first)));
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = first + static_cast<int64_t>(i);
    reader(some(numbers), first);
  }
}

torch::Tensor Samples::some(const std::vector<int64_t>& numbers) const {
  std::vector<Latent> latents;
  for (int64_t number : numbers)
    latents.push_back(seed_latent(static_cast<uint64_t>(number), facts_.latent_size));
  return to_bytes(make_pictures(*backend_, to_input(latents)).permute({0, 3, 1, 2}));
}

}  // namespace nowhere
