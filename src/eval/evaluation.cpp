#include "eval/evaluation.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <span>

#include "core/cpu.h"
#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/text.h"
#include "data/drawn_source.h"
#include "device/device.h"
#include "eval/evaluation_parts.h"
#include "eval/held_out.h"
#include "eval/parzen.h"
#include "eval/picture_sets.h"
#include "eval/sample_store.h"
#include "eval/seen.h"
#include "model/feature_file.h"
#include "tensor/pictures.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr int kTrainingCrops = 2;         // of each photograph: a repeated one is seldom cut exactly alike
constexpr int64_t kComparedWhole = 1024;  // pictures of each kind for the sliced Wasserstein distance
constexpr size_t kComparedWithTraining =
    1000;  // photographs of the training part that are looked for in the run's

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
        const Source& source, const std::vector<uint32_t>& photos, const TrainingData& training)
      : config_(config),
        run_(run),
        training_(training),
        source_(source, drawn_order(source.photos(), photos, config.seed)),
        budget_(config.memory_mb),
        loaded_(load_generator(run, checkpoint)),
        parts_(part_photos(source_.photos())) {
    if (const auto file = feature_file())
      network_.emplace(*file, config.feature_input, loaded_.config.img_size, config.report / "cache");
    const int64_t pixels = int64_t{loaded_.config.img_size} * loaded_.config.img_size * kChannels;
    const int64_t room = budget_.held_out() / 2 / (pixels * static_cast<int64_t>(sizeof(float)));
    take(parts_.validation, "validation", room);
    take(parts_.test, "test", room);
    limits_.whole = std::clamp<int64_t>(budget_.collected() / 2 / pixels, 16, kComparedWhole);
    constexpr int64_t kThumbnail = 768, kUnknown = 3328;  // numbers of a row
    const int64_t features = !network_ ? 0 : network_->size() > 0 ? network_->size() : kUnknown;
    limits_.rows = std::max<int64_t>(
        256, budget_.collected() / 2 / (4 * std::max<int64_t>(1024, kThumbnail + features)));
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
    NearestPictures nearest(generated, held_out, training_sequences(), budget_.scratch());
    read_with_progress(train, "reading photographs", [&](const torch::Tensor& bytes, int64_t first) {
      if (first < config_.samples) baseline.add_up_to(config_.samples, rows(bytes));
      const FeatureChunk pictures = look(bytes);
      // The second crops are for copies to be found by; they are not photographs more.
      if (first < static_cast<int64_t>(parts_.train.size())) real.add(pictures);
      nearest.add(pictures, first);
    });

    Scores& scores = result_.scores;
    scores.parzen = parzen_scores(window, baseline, grid, validation.size());
    const torch::Tensor whole = real.whole();
    const auto shown = std::span(parts_.train).first(static_cast<size_t>(whole.size(0)));
    scores.wasserstein =
        wasserstein_scores(whole, halves_for_floor(source_.photos(), shown), generated.whole());
    if (network_) {
      scores.features = feature_scores(*network_, real, generated, held_out, config_.seed);
      scores.features->trained_it = loaded_.facts.features_digest == network_->file_digest();
    }
    scores.memorisation = nearest.judge(samples, train);
    scores.collapse = collapse_scores(generated.thumbnails(), real.thumbnails(), config_.seed);
    if (!config_.epochs.empty()) scores.parzen->epochs = judge_epochs(rows(test_bytes));
    result_.figures.push_back(comparison_figure(whole, generated.whole()));
    return std::move(result_);
  }

 private:
  // By number; undefined unless the held-out photographs are of other sequences than these, and these of two
  // at least.
  torch::Tensor training_sequences() const {
    if (!parts_.by_sequence) return {};
    std::vector<int64_t> sequences;
    for (const uint32_t photo : parts_.train) sequences.push_back(source_.photos().all[photo].sequence);
    if (std::ranges::adjacent_find(sequences, std::ranges::not_equal_to()) == sequences.end()) return {};
    return torch::tensor(sequences);
  }

  std::optional<fs::path> feature_file() const {
    if (config_.features == kNoFeatures) return std::nullopt;
    if (config_.features == kAutoFeatures) return find_feature_file();
    return config_.features;
  }

  // As many as were asked for. They are in drawn order: the first of them are a draw from all.
  void take(std::vector<uint32_t>& photos, const std::string& part, int64_t room) const {
    constexpr int64_t kUsual = 1000;
    const auto there = static_cast<int64_t>(photos.size());
    if (config_.held_out > there)
      throw data_error(fmt::format("--held-out {}: there are {} for {}; ask for fewer, or give more data",
                                   config_.held_out, counted(there, "photograph"), part));
    if (config_.held_out > room)
      throw usage_error(fmt::format("--held-out {}: --memory {} has room for {}; raise it or ask for fewer",
                                    config_.held_out, config_.memory_mb, counted(room, "photograph")));
    const int64_t most = config_.held_out > 0 ? config_.held_out : std::min({kUsual, room, there});
    photos.resize(static_cast<size_t>(most));
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
             .threads = threads()}};
  }

  int threads() const { return config_.threads > 0 ? config_.threads : available_cores(); }

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
    data.by_sequence = parts_.by_sequence;
    result_.scores.samples = config_.samples;
    data.unknown = training_.unknown;
    if (training_.source != nullptr) compare_with_training(data);
  }

  void compare_with_training(JudgedData& data) const {
    std::vector<uint32_t> held_out = parts_.validation, train = parts_.train;
    held_out.insert(held_out.end(), parts_.test.begin(), parts_.test.end());
    train.resize(std::min(train.size(), kComparedWithTraining));
    std::optional<Progress> line;
    const SeenInTraining seen =
        seen_in_training(source_, held_out, train, training_, threads(), [&](int64_t done, int64_t total) {
          if (!line) line.emplace("comparing with its training data", "photographs", total);
          line->update(done);
        });
    data.held_out = held_out_by(seen);
    data.held_out_seen = seen.held_out;
    data.train_seen = seen.train;
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
  const TrainingData& training_;
  const DrawnSource source_;  // in an order that does not depend on whether it is a folder or a pack
  const Budget budget_;
  LoadedGenerator loaded_;
  PhotoParts parts_;
  std::optional<FeatureNetwork> network_;
  SampleStore::Limits limits_;
  Evaluation result_;
};

}  // namespace

Evaluation evaluate(const EvaluationConfig& config, const RunReader& run, const CheckpointFile& checkpoint,
                    const Source& source, const std::vector<uint32_t>& photos, const TrainingData& training) {
  set_compute_threads(config.threads);
  return Judge(config, run, checkpoint, source, photos, training).run();
}

}  // namespace nowhere
