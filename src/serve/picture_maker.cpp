#include "serve/picture_maker.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "core/stopwatch.h"
#include "serve/http_rules.h"

namespace nowhere {
namespace {

constexpr std::string_view kOtherModel =
    "this address belongs to another model than the one served now; leave out model= for the current one";
constexpr std::string_view kNotReady = "the model is being loaded";

EncodedResult failure(int status, std::string_view message) {
  return {.status = status, .message = std::string(message)};
}

EncodedResult failure(PictureResult::Outcome outcome) {
  switch (outcome) {
    case PictureResult::Outcome::kLate:
      return failure(503, "this took too long");
    case PictureResult::Outcome::kGone:
      return failure(404, "this epoch is gone or cannot be read");
    case PictureResult::Outcome::kStopped:
      return failure(503, "the server is stopping");
    default:
      return failure(500, "internal error");
  }
}

HttpResponse error_of(const EncodedResult& result) {
  return result.status == 503 ? unavailable(result.message) : error_response(result.status, result.message);
}

std::string key_of(const std::string& digest, const PictureRequest& picture) {
  return digest + " " + picture.canonical;
}

}  // namespace

// What is needed of a request once its picture is made.
struct PictureMaker::PendingRequest {
  std::shared_ptr<const PictureRequest> picture;
  RequestedModel requested;
  std::string if_none_match;
  bool immutable = false;  // the picture at this address never changes
};

PictureMaker::PictureMaker(PictureMakerConfig config, ModelProvider& provider, Batcher& batcher,
                           BodyCache& cache, Workers& workers, ServeMetrics& metrics)
    : config_(std::move(config)),
      provider_(provider),
      batcher_(batcher),
      cache_(cache),
      workers_(workers),
      metrics_(metrics),
      encoder_(encoder_version()) {}

HttpReply PictureMaker::cacheable(const HttpRequest& request, PictureRequest picture,
                                  RequestedModel requested) {
  ModelChoice model;
  if (requested.epoch) {
    const auto saved = provider_.epochs();
    const auto found = std::ranges::find(saved, *requested.epoch, &SavedEpoch::epoch);
    if (found == saved.end()) return error_response(404, "there is no such epoch");
    model.saved = *found;
  } else {
    model.loaded = provider_.current();
    if (model.loaded == nullptr) return unavailable(kNotReady);
  }
  // An epoch may be trained again, and a server may be started with another model.
  const bool immutable = !requested.digest.empty();
  return find_or_start(std::move(model),
                       std::make_shared<const PendingRequest>(PendingRequest{
                           std::make_shared<const PictureRequest>(std::move(picture)), std::move(requested),
                           std::string(request.header("If-None-Match")), immutable}));
}

HttpReply PictureMaker::find_or_start(ModelChoice model,
                                      const std::shared_ptr<const PendingRequest>& pending) {
  // The digest of an epoch that was never loaded is unknown, and none of its pictures can be in the cache.
  const auto digest = model.saved ? batcher_.models().digest_of(*model.saved) : model.loaded->facts().digest;
  if (digest) {
    const auto body = cache_.get(key_of(*digest, *pending->picture));
    metrics_.cache(body.has_value());
    HttpResponse found = response(*pending, {.body = body.value_or(HttpBody()), .digest = *digest});
    if (body || found.status != 200) return found;
  }
  return HttpReply([this, model = std::move(model), pending](const HttpRespond& respond) {
    start(model, pending, respond);
  });
}

void PictureMaker::start(const ModelChoice& model, const std::shared_ptr<const PendingRequest>& pending,
                         const HttpRespond& respond) {
  const std::string name = model.saved ? fmt::format("epoch {} {}", model.saved->epoch, model.saved->stamp)
                                       : model.loaded->facts().digest;
  const std::string flight = key_of(name, *pending->picture);
  const bool first = flights_.join(
      flight, [this, pending, respond](const EncodedResult& result) { respond(response(*pending, result)); });
  if (!first) return;
  // Another request may have finished it since the cache was searched.
  if (model.loaded != nullptr)
    if (auto body = cache_.get(flight))
      return flights_.finish(flight, {.body = std::move(*body), .digest = name});
  make(model, pending->picture, [this, flight, picture = pending->picture](const EncodedResult& result) {
    if (result.status == 200) cache_.put(key_of(result.digest, *picture), result.body);
    flights_.finish(flight, result);
  });
}

HttpReply PictureMaker::uncached(PictureRequest picture) {
  const auto model = provider_.current();
  if (model == nullptr) return unavailable(kNotReady);
  auto kept = std::make_shared<const PictureRequest>(std::move(picture));
  return HttpReply([this, model, kept](const HttpRespond& respond) {
    make({model, {}}, kept, [respond, kept](const EncodedResult& result) {
      if (result.status != 200) return respond(error_of(result));
      respond({.content_type = std::string(mime_of(kept->format)),
               .headers = {{"Cache-Control", kNoStore}},
               .body = result.body});
    });
  });
}

void PictureMaker::make(const ModelChoice& model, const std::shared_ptr<const PictureRequest>& picture,
                        const Finish& finish) {
  // An epoch that is not loaded is taken to make pictures as large as the current model's.
  const std::shared_ptr<Model> sized = model.loaded ? model.loaded : provider_.current();
  if (sized != nullptr && picture->points.size() > max_pictures(sized->facts().picture_size))
    return finish(failure(400, "too many pixels: ask for fewer pictures or frames"));
  PictureJob job{model, picture->points, std::chrono::steady_clock::now() + config_.deadline, {}};
  job.done = [this, picture, finish](PictureResult result) {
    if (result.outcome != PictureResult::Outcome::kDone) return finish(failure(result.outcome));
    auto kept = std::make_shared<const PictureResult>(std::move(result));
    workers_.post([this, picture, finish, kept] { finish(encode_result(*picture, *kept)); });
  };
  if (batcher_.submit(std::move(job))) return;
  metrics_.refused();
  finish(failure(503, "the server is too busy at the moment"));
}

// On a worker's thread.
EncodedResult PictureMaker::encode_result(const PictureRequest& picture, const PictureResult& result) {
  try {
    if (!has_room(picture, result.model->facts().picture_size))
      return failure(400,
                     "a WebP picture has at most 16,383 pixels a side: ask for other columns, or for PNG");
    const Stopwatch stopwatch;
    EncodedResult encoded{.body = encode(picture, result.pictures), .digest = result.model->facts().digest};
    metrics_.encoding(ending_of(picture.format), stopwatch.seconds());
    return encoded;
  } catch (const std::exception& error) {
    if (config_.on_error) config_.on_error(error.what());
    return failure(500, "internal error");
  }
}

HttpResponse PictureMaker::response(const PendingRequest& pending, const EncodedResult& result) const {
  if (result.status != 200) return error_of(result);
  if (!result.digest.starts_with(pending.requested.digest)) return error_response(404, kOtherModel);
  return cacheable_response(pending.if_none_match,
                            etag_of(encoder_ + " " + key_of(result.digest, *pending.picture)),
                            pending.immutable ? kImmutable : kRevalidate,
                            std::string(mime_of(pending.picture->format)), result.body);
}

}  // namespace nowhere
