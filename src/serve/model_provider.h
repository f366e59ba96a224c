// Where the server gets its models from.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "serve/model.h"

namespace nowhere {

// An epoch that can be loaded. The stamp changes when its file does, which shows that a loaded model is out
// of date.
struct SavedEpoch {
  uint64_t epoch = 0;
  uint64_t stamp = 0;

  auto operator<=>(const SavedEpoch&) const = default;
};

// All models of a run, or the single one of a file. Outlives the service.
class ModelProvider {
 public:
  virtual ~ModelProvider() = default;
  // The model that answers when no epoch is named; null until the first one is loaded. Any thread, for every
  // request: it only hands out what is already loaded.
  virtual std::shared_ptr<Model> current() const = 0;
  // The epochs that can be loaded, in ascending order. Any thread, for every request that names an epoch:
  // quick.
  virtual std::vector<SavedEpoch> epochs() const = 0;
  // Loads an epoch; null when it is gone. Called on the inference thread, where it may take its time; may
  // throw.
  virtual std::shared_ptr<Model> load(uint64_t epoch) = 0;
  // Whether current() changes as a run goes on.
  virtual bool following() const = 0;
};

}  // namespace nowhere
