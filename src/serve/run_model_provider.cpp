#include "serve/run_model_provider.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace nowhere {
namespace {

constexpr std::chrono::seconds kMaxListAge{1};

}  // namespace

RunModelProvider::RunModelProvider(RunReader run, Loader loader, RunModelConfig config)
    : run_(std::move(run)),
      loader_(std::move(loader)),
      config_(std::move(config)),
      epochs_(list()),
      listed_at_(config_.now()) {}

std::shared_ptr<Model> RunModelProvider::current() const {
  const std::lock_guard lock(current_mutex_);
  return current_.model;
}

std::vector<SavedEpoch> RunModelProvider::epochs() const {
  if (run_.lone_checkpoint()) {
    const std::lock_guard lock(current_mutex_);
    if (current_.model == nullptr) return {};
    return {{current_.model->facts().epoch, current_.stamp}};
  }
  const auto now = config_.now();
  {
    const std::lock_guard lock(epochs_mutex_);
    const bool fresh = !epochs_.empty() && now - listed_at_ < kMaxListAge;
    if (fresh || listing_) return epochs_;
    listing_ = true;
  }
  std::vector<SavedEpoch> listed;
  try {
    listed = list();
  } catch (...) {
    const std::lock_guard lock(epochs_mutex_);
    listing_ = false;
    throw;
  }
  const std::lock_guard lock(epochs_mutex_);
  listing_ = false;
  listed_at_ = now;
  return epochs_ = std::move(listed);
}

std::vector<SavedEpoch> RunModelProvider::list() const {
  std::vector<SavedEpoch> listed;
  for (const CheckpointFile& file : run_.epochs()) listed.push_back({file.epoch, file.stamp});
  return listed;
}

std::shared_ptr<Model> RunModelProvider::load(uint64_t epoch) {
  if (run_.lone_checkpoint()) {
    const std::shared_ptr<Model> only = current();
    return only && only->facts().epoch == epoch ? only : nullptr;
  }
  const std::vector<CheckpointFile> files = run_.epochs();
  const auto file = std::ranges::find(files, epoch, &CheckpointFile::epoch);
  if (file == files.end()) return nullptr;
  try {
    return loader_(run_, *file);
  } catch (const std::exception&) {
    if (!run_.store().stamp(file->name)) return nullptr;  // training has removed it since it was found
    throw;
  }
}

void RunModelProvider::open() {
  serve(run_.find(config_.epoch));
}

void RunModelProvider::look_for_newer() {
  if (!config_.follow) return;
  CheckpointFile file;
  try {
    file = run_.find(config_.epoch);
    missing_ = false;
  } catch (const std::exception& error) {
    if (!std::exchange(missing_, true)) report(error.what());
    return;
  }
  if (file == tried_) return;
  try {
    serve(file);
  } catch (const std::exception& error) {
    report(fmt::format("a newer checkpoint cannot be loaded, the old one stays: {}", error.what()));
  }
}

void RunModelProvider::serve(const CheckpointFile& file) {
  tried_ = file;
  // The model that it replaces is freed after the mutex: that may take a while.
  Loaded loaded{loader_(run_, file), file.stamp};
  const std::lock_guard lock(current_mutex_);
  std::swap(current_, loaded);
}

void RunModelProvider::report(const std::string& what) const {
  if (config_.on_error) config_.on_error(what);
}

}  // namespace nowhere
