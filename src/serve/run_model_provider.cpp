#include "serve/run_model_provider.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace nowhere {
namespace {

std::vector<SavedEpoch> epochs_of(const std::vector<CheckpointFile>& files) {
  std::vector<SavedEpoch> epochs;
  epochs.reserve(files.size());
  for (const CheckpointFile& file : files) epochs.push_back({file.epoch, file.stamp});
  return epochs;
}

std::optional<CheckpointFile> find_epoch(const std::vector<CheckpointFile>& files, uint64_t epoch) {
  const auto found = std::ranges::find(files, epoch, &CheckpointFile::epoch);
  return found != files.end() ? std::optional(*found) : std::nullopt;
}

}  // namespace

RunModelProvider::RunModelProvider(RunReader run, Loader loader, RunModelConfig config)
    : run_(std::move(run)),
      loader_(std::move(loader)),
      config_(std::move(config)),
      files_(run_.epochs()),
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
    const std::lock_guard lock(files_mutex_);
    const bool fresh = !files_.empty() && now - listed_at_ < config_.list_for;
    if (fresh || listing_) return epochs_of(files_);
    listing_ = true;
  }
  std::vector<CheckpointFile> listed;
  try {
    listed = run_.epochs();
  } catch (...) {
    const std::lock_guard lock(files_mutex_);
    listing_ = false;
    if (files_.empty()) throw;
    listed_at_ = now;
    return epochs_of(files_);
  }
  const std::lock_guard lock(files_mutex_);
  listing_ = false;
  listed_at_ = now;
  files_ = std::move(listed);
  return epochs_of(files_);
}

std::shared_ptr<Model> RunModelProvider::load(uint64_t epoch) {
  if (run_.lone_checkpoint()) {
    const std::shared_ptr<Model> only = current();
    return only && only->facts().epoch == epoch ? only : nullptr;
  }
  // The inference thread lists a folder only when the last list does not help.
  std::optional<CheckpointFile> file;
  {
    const std::lock_guard lock(files_mutex_);
    file = find_epoch(files_, epoch);
  }
  std::shared_ptr<Model> model = file ? load_if_there(*file) : nullptr;
  if (model != nullptr) return model;
  file = find_epoch(run_.epochs(), epoch);
  return file ? load_if_there(*file) : nullptr;
}

std::shared_ptr<Model> RunModelProvider::load_if_there(const CheckpointFile& file) const {
  try {
    return loader_(run_, file);
  } catch (const std::exception&) {
    if (!run_.store().stamp(file.name)) return nullptr;  // training has removed it since it was found
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
  } catch (const std::exception& error) {
    return report(error.what());
  }
  if (file == tried_) return reported_.clear();
  try {
    serve(file);
    reported_.clear();
  } catch (const std::exception& error) {
    report(fmt::format("a newer checkpoint cannot be loaded, the old one stays: {}", error.what()));
    const auto* failed = dynamic_cast<const Error*>(&error);
    if (failed != nullptr && failed->exit() == Exit::kFailed) tried_.reset();
  }
}

void RunModelProvider::serve(const CheckpointFile& file) {
  tried_ = file;
  // The model that it replaces is freed after the mutex: that may take a while.
  Loaded loaded{loader_(run_, file), file.stamp};
  const std::lock_guard lock(current_mutex_);
  std::swap(current_, loaded);
}

void RunModelProvider::report(const std::string& what) {
  if (std::exchange(reported_, what) != what && config_.on_error) config_.on_error(what);
}

}  // namespace nowhere
