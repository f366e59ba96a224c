// From a request for a picture to its response: cache, queue, generator, encoder.
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
#include "serve/picture_request.h"
#include "serve/serve_metrics.h"
#include "serve/single_flight.h"
#include "serve/workers.h"

namespace nowhere {

// The model that a client asks for.
struct RequestedModel {
  std::optional<uint64_t> epoch;  // nothing: the current model
  std::string digest;             // its first digits; empty: any
};

struct PictureMakerConfig {
  std::chrono::milliseconds deadline = std::chrono::seconds(30);
  std::function<void(const std::string& what)> on_error = {};
};

// Any thread may call anything. Responses come from the workers and the inference thread. Everything it is
// given outlives it, and it outlives the jobs that it posts there.
class PictureMaker {
 public:
  PictureMaker(PictureMakerConfig config, ModelProvider& provider, Batcher& batcher, BodyCache& cache,
               Workers& workers, ServeMetrics& metrics);

  // A picture that is the same every time it is requested.
  HttpReply cacheable(const HttpRequest& request, PictureRequest picture, RequestedModel requested);
  // A picture that nobody will request again.
  HttpReply uncached(PictureRequest picture);

 private:
  struct PendingRequest;
  using Finish = std::function<void(const EncodedResult&)>;

  HttpReply find_or_start(ModelChoice model, const std::shared_ptr<const PendingRequest>& pending);
  void start(const ModelChoice& model, const std::shared_ptr<const PendingRequest>& pending,
             const HttpRespond& respond);
  void make(const ModelChoice& model, const std::shared_ptr<const PictureRequest>& picture,
            const Finish& finish);
  EncodedResult encode_result(const PictureRequest& picture, const PictureResult& result);
  HttpResponse response(const PendingRequest& pending, const EncodedResult& result) const;

  const PictureMakerConfig config_;
  ModelProvider& provider_;
  Batcher& batcher_;
  BodyCache& cache_;
  Workers& workers_;
  ServeMetrics& metrics_;
  SingleFlight flights_;
  const std::string encoder_;
};

}  // namespace nowhere
