// What the server needs of a generator, and nothing else: the networks themselves live elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/latent.h"
#include "image/image.h"

namespace nowhere {

// What is told of a model to clients.
struct ModelInfo {
  std::string name;  // of the run or the file
  int size = 0;      // pixels a side
  int nz = 0;        // numbers in a latent vector
  int64_t parameters = 0;
  uint64_t epoch = 0;
  std::string digest;       // of the weights: lower-case hex, at least 12 digits
  int64_t images_seen = 0;  // in training
  std::string trained_on;   // in words
  std::string file_name;    // without folders
};

// One loaded generator.
class Painter {
 public:
  virtual ~Painter() = default;
  // The same for the painter's whole life. Any thread.
  virtual const ModelInfo& info() const = 0;
  // One picture of size x size per latent vector of nz numbers. Called by one thread at a time; a picture does not depend
  // on what else is in the call.
  virtual std::vector<Image> paint(const std::vector<Latent>& latents) = 0;
};

// An epoch that can be loaded. The stamp changes when its file does, so that what was loaded before is known to be old.
struct SavedEpoch {
  uint64_t epoch = 0;
  uint64_t stamp = 0;

  auto operator<=>(const SavedEpoch&) const = default;
};

// All the generators of a run, or the one of a file. Outlives the service.
class Studio {
 public:
  virtual ~Studio() = default;
  // The model that answers when no epoch is named; none until the first is loaded. Any thread, for every request: it
  // only hands out what is there.
  virtual std::shared_ptr<Painter> current() const = 0;
  // What there is to load, rising. Any thread, for every request that names an epoch: quick.
  virtual std::vector<SavedEpoch> epochs() const = 0;
  // Loads one; none when it is gone. On the inference thread, where it may take its time; it may throw.
  virtual std::shared_ptr<Painter> load(uint64_t epoch) = 0;
  // Whether current() will change as a run goes on.
  virtual bool following() const = 0;
};

}  // namespace nowhere
