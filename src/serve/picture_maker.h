// From a request for a picture to its answer: cache, queue, generator, encoder.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/http.h"
#include "serve/batcher.h"
#include "serve/cache.h"
#include "serve/figures.h"
#include "serve/picture_request.h"
#include "serve/single_flight.h"
#include "serve/workers.h"

namespace nowhere {

// Whose picture it is to be.
struct ModelTerms {
  std::optional<uint64_t> epoch;  // none: of the model being served
  std::string digest;             // its first digits; empty: whatever it is
};

struct PictureMakerConfig {
  std::chrono::milliseconds deadline = std::chrono::seconds(30);
  std::function<void(const std::string& what)> on_error = {};
};

// Any thread may call anything. The answers come from the workers and the inference thread. All that it is given
// outlives it, and it outlives what it posts there.
class PictureMaker {
 public:
  PictureMaker(PictureMakerConfig config, Studio& studio, Batcher& batcher, BodyCache& cache,
               Workers& workers, ServeFigures& figures);

  // A picture that is the same whenever it is asked for.
  HttpReply lasting(const HttpRequest& request, PictureRequest picture, ModelTerms terms);
  // One that nobody will ask for again.
  HttpReply passing(PictureRequest picture);

 private:
  struct Asked;
  using Finish = std::function<void(const Made&)>;

  HttpReply lasting_of(ModelChoice model, const std::shared_ptr<const Asked>& asked);
  void begin(const ModelChoice& model, const std::shared_ptr<const Asked>& asked, const HttpRespond& respond);
  void paint(const ModelChoice& model, const std::shared_ptr<const PictureRequest>& picture,
             const Finish& finish);
  Made make(const PictureRequest& picture, const Painted& painted);
  HttpResponse response(const Asked& asked, const Made& made) const;

  const PictureMakerConfig config_;
  Studio& studio_;
  Batcher& batcher_;
  BodyCache& cache_;
  Workers& workers_;
  ServeFigures& figures_;
  SingleFlight flights_;
  const std::string encoder_;
};

}  // namespace nowhere
