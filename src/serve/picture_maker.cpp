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
    "this picture was of another model than the one that answers here now; leave model= out for the present "
    "one";
constexpr std::string_view kNotReady = "the model is being loaded";

Made failure(int status, std::string_view message) {
  return {.status = status, .message = std::string(message)};
}

Made failure(Painted::Outcome outcome) {
  switch (outcome) {
    case Painted::Outcome::kLate:
      return failure(503, "this took too long");
    case Painted::Outcome::kGone:
      return failure(404, "this epoch is gone or cannot be read");
    case Painted::Outcome::kStopped:
      return failure(503, "the server is stopping");
    default:
      return failure(500, "internal error");
  }
}

HttpResponse error_of(const Made& made) {
  return made.status == 503 ? unavailable(made.message) : error_response(made.status, made.message);
}

std::string key_of(const std::string& digest, const PictureRequest& picture) {
  return digest + " " + picture.canonical;
}

}  // namespace

// What has to be known of a request when its picture is there.
struct PictureMaker::Asked {
  std::shared_ptr<const PictureRequest> picture;
  ModelTerms terms;
  std::string if_none_match;
  bool lasts = false;  // it will be the same under this address for ever
};

PictureMaker::PictureMaker(PictureMakerConfig config, Studio& studio, Batcher& batcher, BodyCache& cache,
                           Workers& workers, ServeFigures& figures)
    : config_(std::move(config)),
      studio_(studio),
      batcher_(batcher),
      cache_(cache),
      workers_(workers),
      figures_(figures),
      encoder_(encoder_version()) {}

HttpReply PictureMaker::lasting(const HttpRequest& request, PictureRequest picture, ModelTerms terms) {
  ModelChoice model;
  if (terms.epoch) {
    const auto saved = studio_.epochs();
    const auto found = std::ranges::find(saved, *terms.epoch, &SavedEpoch::epoch);
    if (found == saved.end()) return error_response(404, "there is no such epoch");
    model.saved = *found;
  } else {
    model.painter = studio_.current();
    if (model.painter == nullptr) return unavailable(kNotReady);
  }
  // An epoch may be trained anew, and a run that is followed goes on.
  const bool lasts = !terms.digest.empty() || (!terms.epoch && !studio_.following());
  return lasting_of(std::move(model),
                    std::make_shared<const Asked>(
                        Asked{std::make_shared<const PictureRequest>(std::move(picture)), std::move(terms),
                              std::string(request.header("If-None-Match")), lasts}));
}

HttpReply PictureMaker::lasting_of(ModelChoice model, const std::shared_ptr<const Asked>& asked) {
  // Of an epoch that was never loaded the digest is not known, and nothing of it can be in the cache.
  const auto digest = model.saved ? batcher_.shelf().digest_of(*model.saved) : model.painter->info().digest;
  if (digest) {
    const auto body = cache_.get(key_of(*digest, *asked->picture));
    figures_.cache(body.has_value());
    const Made made{.body = body.value_or(HttpBody()), .digest = *digest};
    HttpResponse answer = response(*asked, made);
    if (body || answer.status != 200) return answer;
  }
  return HttpReply(
      [this, model = std::move(model), asked](const HttpRespond& respond) { begin(model, asked, respond); });
}

void PictureMaker::begin(const ModelChoice& model, const std::shared_ptr<const Asked>& asked,
                         const HttpRespond& respond) {
  const std::string name = model.saved ? fmt::format("epoch {} {}", model.saved->epoch, model.saved->stamp)
                                       : model.painter->info().digest;
  const std::string flight = key_of(name, *asked->picture);
  const bool first =
      flights_.join(flight, [this, asked, respond](const Made& made) { respond(response(*asked, made)); });
  if (!first) return;
  // Somebody may have finished it between the look into the cache and now.
  if (model.painter != nullptr)
    if (auto body = cache_.get(flight))
      return flights_.finish(flight, {.body = std::move(*body), .digest = name});
  paint(model, asked->picture, [this, flight, picture = asked->picture](const Made& made) {
    if (made.status == 200) cache_.put(key_of(made.digest, *picture), made.body);
    flights_.finish(flight, made);
  });
}

HttpReply PictureMaker::passing(PictureRequest picture) {
  const auto painter = studio_.current();
  if (painter == nullptr) return unavailable(kNotReady);
  auto kept = std::make_shared<const PictureRequest>(std::move(picture));
  return HttpReply([this, painter, kept](const HttpRespond& respond) {
    paint({painter, {}}, kept, [respond, kept](const Made& made) {
      if (made.status != 200) return respond(error_of(made));
      respond({.content_type = std::string(mime_of(kept->format)),
               .headers = {{"Cache-Control", kNoStore}},
               .body = made.body});
    });
  });
}

void PictureMaker::paint(const ModelChoice& model, const std::shared_ptr<const PictureRequest>& picture,
                         const Finish& finish) {
  const std::shared_ptr<Painter> sized = model.painter ? model.painter : studio_.current();
  if (sized != nullptr && picture->points.size() > most_pictures(sized->info().size))
    return finish(failure(400, "too many pixels: ask for fewer pictures or frames"));
  PaintJob job{model, picture->points, std::chrono::steady_clock::now() + config_.deadline, {}};
  job.done = [this, picture, finish](Painted painted) {
    if (painted.outcome != Painted::Outcome::kDone) return finish(failure(painted.outcome));
    auto kept = std::make_shared<const Painted>(std::move(painted));
    workers_.post([this, picture, finish, kept] { finish(make(*picture, *kept)); });
  };
  if (batcher_.submit(std::move(job))) return;
  figures_.refused();
  finish(failure(503, "too much to do at the moment"));
}

// On a worker's thread.
Made PictureMaker::make(const PictureRequest& picture, const Painted& painted) {
  try {
    if (!has_room(picture, painted.painter->info().size))
      return failure(400,
                     "a WebP picture has 16,383 pixels a side at most: ask for other columns, or for PNG");
    const Stopwatch stopwatch;
    Made made{.body = encode(picture, painted.pictures), .digest = painted.painter->info().digest};
    figures_.encoding(ending_of(picture.format), stopwatch.seconds());
    return made;
  } catch (const std::exception& error) {
    if (config_.on_error) config_.on_error(error.what());
    return failure(500, "internal error");
  }
}

HttpResponse PictureMaker::response(const Asked& asked, const Made& made) const {
  if (made.status != 200) return error_of(made);
  if (!made.digest.starts_with(asked.terms.digest)) return error_response(404, kOtherModel);
  return cacheable(asked.if_none_match, etag_of(encoder_ + " " + key_of(made.digest, *asked.picture)),
                   asked.lasts ? kImmutable : kRevalidate, std::string(mime_of(asked.picture->format)),
                   made.body);
}

}  // namespace nowhere
