#include "cli/run_model_provider.h"

#include <fmt/core.h>

#include "core/console.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/text.h"
#include "model/checkpoint_files.h"
#include "model/picture_source.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// Changes when the file does; checkpoints are renamed into place, so never half a file.
uint64_t stamp_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return hash64(fmt::format("{} {} {}", file.string(), size, time));
}

std::vector<SavedEpoch> list_epochs(const fs::path& run) {
  std::vector<SavedEpoch> epochs;
  for (uint64_t epoch : saved_epochs(run)) try {
      epochs.push_back({epoch, stamp_of(checkpoint_file(run, epoch))});
    } catch (const Error&) {
      // Training has removed it since it was listed.
    }
  return epochs;
}

// What the run's own configuration says: the last part of the data's path, never where it lies.
std::string trained_on(const fs::path& folder) {
  try {
    const auto config = read_json_file(folder / "config.json");
    const auto* data = config.if_contains("dataroot");
    if (data == nullptr || !data->is_string()) return "";
    return printable(fs::path(data->as_string().c_str()).lexically_normal().filename());
  } catch (const Error&) {
    return "";  // a lone checkpoint has none
  }
}

class SourceModel : public Model {
 public:
  SourceModel(const fs::path& run, std::optional<uint64_t> epoch, int threads)
      : source_(run, epoch, threads) {
    const GeneratorFacts& facts = source_.facts();
    const fs::path folder = fs::absolute(facts.file).lexically_normal().parent_path();
    facts_.name = run_name(run);
    facts_.picture_size = facts.config.img_size;
    facts_.latent_size = facts.config.nz;
    facts_.parameters = facts.parameters;
    facts_.epoch = facts.epoch;
    facts_.digest = facts.digest;
    facts_.images_seen = facts.images;
    facts_.trained_on = trained_on(folder);
    facts_.file_name = printable(facts.file.filename());
  }

  const ModelFacts& facts() const override { return facts_; }
  std::vector<Image> make(const std::vector<Latent>& latents) override { return source_.make(latents); }

 private:
  PictureSource source_;
  ModelFacts facts_;
};

}  // namespace

RunModelProvider::RunModelProvider(fs::path run, std::optional<uint64_t> epoch, bool follow, int threads)
    : run_(std::move(run)), epoch_(epoch), follow_(follow), threads_(threads) {}

std::shared_ptr<Model> RunModelProvider::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::vector<SavedEpoch> RunModelProvider::epochs() const {
  constexpr auto kFresh = std::chrono::seconds(1);
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (!epochs_.empty() && now - epochs_read_ < kFresh) return epochs_;
  epochs_.clear();
  if (fs::is_directory(run_))
    epochs_ = list_epochs(run_);
  else if (current_)
    epochs_.push_back({current_->facts().epoch, stamp_of(run_)});
  epochs_read_ = now;
  return epochs_;
}

std::shared_ptr<Model> RunModelProvider::load(uint64_t epoch) {
  if (fs::is_directory(run_)) return make_model(epoch);
  const auto only = current();
  return only && only->facts().epoch == epoch ? only : nullptr;
}

void RunModelProvider::open() {
  stamp_ = stamp_of(checkpoint_file(run_, epoch_));
  std::shared_ptr<Model> model = make_model(epoch_);
  const std::lock_guard lock(mutex_);
  current_ = std::move(model);
}

void RunModelProvider::look_for_newer() {
  if (!follow_) return;
  try {
    const uint64_t stamp = stamp_of(checkpoint_file(run_, epoch_));
    if (stamp == stamp_) return;
    stamp_ = stamp;
    std::shared_ptr<Model> model = make_model(epoch_);
    const std::lock_guard lock(mutex_);
    current_ = std::move(model);
  } catch (const std::exception& error) {
    print_message(
        fmt::format("nowhere: a newer checkpoint does not serve, the old one stays: {}\n", error.what()));
  }
}

std::shared_ptr<Model> RunModelProvider::make_model(std::optional<uint64_t> epoch) const {
  return std::make_shared<SourceModel>(run_, epoch, threads_);
}

}  // namespace nowhere
