#include "eval/evaluation.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "core/cpu.h"
#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/text.h"
#include "device/device.h"
#include "eval/evaluation_parts.h"
#include "eval/held_out.h"
#include "eval/parzen.h"
#include "eval/picture_sets.h"
#include "eval/sample_store.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr int kTrainingCrops = 2;         // of each photograph: a repeated one is seldom cut exactly alike
constexpr int64_t kComparedWhole = 1024;  // pictures of each kind for the sliced Wasserstein distance

// How the memory is shared out, in bytes.
struct Budget {
  explicit Budget(int64_t megabytes) : all(megabytes * 1'000'000) {}
  int64_t all;
  int64_t held_out() const { return all / 4; }
  int64_t scratch() const { return all / 4; }
  int64_t collected() const { return all / 8; }  // of each of three sets
};

void read_with_progress(const PictureSet& set, const std::string& title, const ChunkReader& reader) {
  Progress progress(title, "pictures", set.size());
  set.read([&](const torch::Tensor& bytes, int64_t first) {
    reader(bytes, first);
    progress.update(first + bytes.size(0));
  });
}

class Judge {
 public:
  Judge(const EvaluationConfig& config, const RunReader& run, const CheckpointFile& checkpoint,
        const Source& source, const std::vector<uint32_t>& photos)
      : config_(config),
        run_(run),
        source_(source),
        budget_(config.memory_mb),
        loaded_(load_generator(run, checkpoint)),
        parts_(part_photos(source.photos(), photos)) {
    if (!config.features.empty())
      network_.emplace(config.features, config.feature_input, config.report / "cache");
    const int64_t pixels = int64_t{loaded_.config.img_size} * loaded_.config.img_size * kChannels;
    const int64_t room = budget_.held_out() / 2 / (pixels * static_cast<int64_t>(sizeof(float)));
    take(parts_.validation, "validation", room);
    take(parts_.test, "test", room);
    limits_.whole = std::clamp<int64_t>(budget_.collected() / 2 / pixels, 16, kComparedWhole);
    limits_.rows = std::max<int64_t>(256, budget_.collected() / 2 / (4 * (network_ ? 4096 : 1024)));
  }

  Evaluation run() {
    describe();
    const Photographs validation = photographs(parts_.validation, 1), test = photographs(parts_.test, 1),
                      train = photographs(parts_.train, kTrainingCrops);
    const Samples samples(loaded_, config_.samples);
    SampleStore generated(limits_), real(limits_), held_out(limits_);

    const torch::Tensor test_bytes = read_all(test);
    held_out.add(look(test_bytes));
    const torch::Tensor points = torch::cat({rows(read_all(validation)), rows(test_bytes)});
    const std::vector<double> grid = logspace(config_.sigma_low, config_.sigma_high, config_.sigma_count);
    ParzenWindow window(points, grid, budget_.scratch()), baseline(points, grid, budget_.scratch());
    read_with_progress(samples, "making samples", [&](const torch::Tensor& bytes, int64_t) {
      window.add(rows(bytes));
      generated.add(look(bytes));
    });
    NearestPictures nearest(generated, held_out, budget_.scratch());
    read_with_progress(train, "reading photographs", [&](const torch::Tensor& bytes, int64_t first) {
      if (first < config_.samples) baseline.add(rows(bytes));
      const FeatureChunk pictures = look(bytes);
      // The second crops are for copies to be found by; they are not photographs more.
      if (first < static_cast<int64_t>(parts_.train.size())) real.add(pictures);
      nearest.add(pictures, first);
    });

    Scores& scores = result_.scores;
    scores.parzen = parzen_scores(window.result(), baseline.result(), grid, validation.size());
    scores.wasserstein = wasserstein_scores(real.whole(), generated.whole());
    if (network_) scores.features = feature_scores(*network_, real, generated, held_out, config_.seed);
    scores.memorisation = nearest.judge(samples, train);
    scores.collapse = collapse_scores(generated.thumbnails(), real.thumbnails(), config_.seed);
    if (!config_.epochs.empty()) scores.parzen->epochs = judge_epochs(rows(test_bytes));
    result_.figures.push_back(comparison_figure(real.whole(), generated.whole()));
    return std::move(result_);
  }

 private:
  // As many as were asked for, spread over all there are.
  void take(std::vector<uint32_t>& photos, const std::string& part, int64_t room) const {
    constexpr int64_t kUsual = 1000;
    const auto there = static_cast<int64_t>(photos.size());
    if (config_.held_out > there)
      throw data_error(
          fmt::format("--held-out {}: there are {} photographs for {}; ask for fewer, or give more data",
                      config_.held_out, there, part));
    if (config_.held_out > room)
      throw usage_error(
          fmt::format("--held-out {}: --memory {} has room for {} photographs; raise it or ask for fewer",
                      config_.held_out, config_.memory_mb, room));
    const int64_t most = config_.held_out > 0 ? config_.held_out : std::min({kUsual, room, there});
    std::vector<uint32_t> some;
    for (int64_t i = 0; i < most; ++i)
      some.push_back(photos[static_cast<size_t>(i * static_cast<int64_t>(photos.size()) / most)]);
    photos = std::move(some);
  }

  // Pixels for the Parzen window: of grey pictures one channel, for the others say nothing more.
  torch::Tensor rows(const torch::Tensor& bytes) const {
    return to_rows(loaded_.config.nc == 1 ? bytes.narrow(3, 0, 1) : bytes);
  }

  FeatureChunk look(const torch::Tensor& bytes) {
    return {bytes, network_ ? network_->features(bytes) : torch::Tensor()};
  }

  Photographs photographs(const std::vector<uint32_t>& photos, int crops) const {
    return {source_,
            photos,
            {.size = loaded_.config.img_size,
             .grey = loaded_.config.nc == 1,
             .augment = config_.augment,
             .crops = crops,
             .seed = config_.seed,
             .threads = config_.threads > 0 ? config_.threads : available_cores()}};
  }

  static torch::Tensor read_all(const Photographs& set) {
    std::vector<torch::Tensor> chunks;
    set.read([&](const torch::Tensor& bytes, int64_t) { chunks.push_back(bytes); });
    return torch::cat(chunks);
  }

  void describe() {
    result_.scores.model = loaded_.facts;
    result_.scores.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    JudgedData& data = result_.scores.data;
    data.name = fs::path(source_.name()).filename().string();
    data.train = static_cast<int64_t>(parts_.train.size());
    data.validation = static_cast<int64_t>(parts_.validation.size());
    data.test = static_cast<int64_t>(parts_.test.size());
    data.split_note = parts_.note;
    if (parts_.by_sequence && config_.trained_on_all)
      data.split_note +=
          ", but the run was trained on all sequences, these among them: train with --split train";
    data.held_out = parts_.by_sequence && !config_.trained_on_all;
    result_.scores.samples = config_.samples;
  }

  ParzenEpochs judge_epochs(const torch::Tensor& points) {
    ParzenEpochs epochs{.sigma = result_.scores.parzen->sigma, .points = {}};
    for (const CheckpointFile& file : config_.epochs) {
      const LoadedGenerator loaded = load_generator(run_, file);
      ParzenWindow window(points, {epochs.sigma}, budget_.scratch());
      read_with_progress(Samples(loaded, config_.samples), fmt::format("epoch {}", file.epoch),
                         [&](const torch::Tensor& bytes, int64_t) { window.add(rows(bytes)); });
      const MeanAndError score = mean_and_standard_error(window.result()[0]);
      epochs.points.push_back({static_cast<int64_t>(file.epoch), {score.mean, score.standard_error}});
    }
    return epochs;
  }

  const EvaluationConfig& config_;
  const RunReader& run_;
  const Source& source_;
  const Budget budget_;
  LoadedGenerator loaded_;
  PhotoParts parts_;
  std::optional<FeatureNetwork> network_;
  SampleStore::Limits limits_;
  Evaluation result_;
};

}  // namespace

Evaluation evaluate(const EvaluationConfig& config, const RunReader& run, const CheckpointFile& checkpoint,
                    const Source& source, const std::vector<uint32_t>& photos) {
  set_compute_threads(config.threads);
  return Judge(config, run, checkpoint, source, photos).run();
}

}  // namespace nowhere
