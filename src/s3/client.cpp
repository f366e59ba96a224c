#include "s3/client.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "s3/digest.h"

namespace nowhere {
namespace {

std::string etag_of(const WebReply& reply) {
  std::string etag = reply.header("etag");
  std::erase(etag, '"');
  return etag;
}

// Encrypted with a key of its owner, an object has an ETag that says nothing of its content.
bool has_md5(const WebReply& reply) {
  const std::string encryption = reply.header("x-amz-server-side-encryption");
  return (encryption.empty() || encryption == "AES256") &&
         reply.header("x-amz-server-side-encryption-customer-algorithm").empty();
}

// "bytes 0-99/1234" -> 1234
uint64_t whole_size(const WebReply& reply) {
  const std::string range = reply.header("content-range");
  const size_t slash = range.rfind('/');
  if (slash == std::string::npos) return reply.body.size();
  return static_cast<uint64_t>(std::max<int64_t>(0, parse_integer(range.substr(slash + 1)).value_or(0)));
}

std::vector<std::pair<std::string, std::string>> body_headers(const Md5& md5) {
  return {{"Content-MD5", base64_of(md5)}, {"Content-Type", "application/octet-stream"}};
}

}  // namespace

S3Client::S3Client(S3Settings settings, WebClient& http, CredentialChain& credentials, Retry retry)
    : settings_(std::move(settings)),
      http_(http),
      credentials_(credentials),
      retry_(std::move(retry)),
      region_(settings_.first_region()) {}

S3Result<std::vector<ListedObject>> S3Client::list(const S3Url& folder) {
  const S3Url bucket{folder.bucket, ""};
  const std::string prefix = folder.path.empty() ? "" : folder.path + "/";
  std::vector<ListedObject> objects;
  std::string next;
  do {
    Call page_call{"GET", bucket, {{"list-type", "2"}, {"delimiter", "/"}, {"encoding-type", "url"}}};
    if (!prefix.empty()) page_call.query.emplace_back("prefix", prefix);
    if (!next.empty()) page_call.query.emplace_back("continuation-token", next);
    const auto reply = call(page_call);
    if (!reply) return reply.error();
    auto page = understood(folder, read_object_page(reply->text()));
    if (!page) return page.error();
    std::ranges::move(page->objects, std::back_inserter(objects));
    next = std::move(page->next);
  } while (!next.empty());
  return objects;
}

S3Result<ObjectPiece> S3Client::get(const S3Url& file, uint64_t begin, uint64_t count,
                                    const std::string& etag) {
  Call range_call{"GET", file, {}, {{"Range", fmt::format("bytes={}-{}", begin, begin + count - 1)}}};
  if (!etag.empty()) range_call.headers.emplace_back("If-Match", fmt::format("\"{}\"", etag));
  auto reply = call(range_call);
  if (!reply) {
    if (reply.error().code == "InvalidRange" || reply.error().code == "416")
      return ObjectPiece{};  // it is empty
    return reply.error();
  }
  ObjectPiece piece{{}, whole_size(*reply), etag_of(*reply), reply->header("last-modified"), has_md5(*reply)};
  piece.bytes = std::move(reply->body);
  return piece;
}

std::optional<uint64_t> S3Client::part_size(const S3Url& file) {
  const auto reply = call({"HEAD", file, {{"partNumber", "1"}}});
  const auto size = reply ? parse_integer(reply->header("content-length")) : std::nullopt;
  return size && *size > 0 ? std::optional(static_cast<uint64_t>(*size)) : std::nullopt;
}

S3Result<void> S3Client::put(const S3Url& file, std::span<const uint8_t> bytes) {
  const Md5 md5 = md5_of(bytes);
  const auto reply = call({"PUT", file, {}, body_headers(md5), bytes});
  if (!reply) return reply.error();
  if (has_md5(*reply) && etag_of(*reply) != hex_of(md5))
    return S3Failure{
        S3Fault::kDamaged,
        fmt::format("{}: what the server has is not what was sent; upload it again", file.text())};
  return {};
}

S3Result<void> S3Client::remove(const S3Url& file) {
  const auto reply = call({"DELETE", file});
  if (!reply && reply.error().fault != S3Fault::kNoKey) return reply.error();
  return {};
}

S3Result<std::string> S3Client::begin_upload(const S3Url& file) {
  const auto reply = call({"POST", file, {{"uploads", ""}}, {{"Content-Type", "application/octet-stream"}}});
  if (!reply) return reply.error();
  return understood(file, read_upload_id(reply->text()));
}

S3Result<std::vector<ListedUpload>> S3Client::unfinished_uploads(const S3Url& file) {
  const S3Url bucket{file.bucket, ""};
  const auto reply =
      call({"GET", bucket, {{"uploads", ""}, {"prefix", file.path}, {"encoding-type", "url"}}});
  if (!reply) return reply.error();
  auto uploads = understood(file, read_uploads(reply->text()));
  if (!uploads) return uploads.error();
  std::erase_if(*uploads, [&](const ListedUpload& upload) { return upload.key != file.path; });
  return uploads;
}

S3Result<std::vector<ListedPart>> S3Client::uploaded_parts(const S3Url& file, const std::string& id) {
  std::vector<ListedPart> parts;
  std::string next;
  do {
    Call page_call{"GET", file, {{"uploadId", id}}};
    if (!next.empty()) page_call.query.emplace_back("part-number-marker", next);
    const auto reply = call(page_call);
    if (!reply) return reply.error();
    auto page = understood(file, read_parts(reply->text()));
    if (!page) return page.error();
    std::ranges::move(page->parts, std::back_inserter(parts));
    next = std::move(page->next);
  } while (!next.empty());
  return parts;
}

S3Result<ListedPart> S3Client::put_part(const S3Url& file, const std::string& id, int number,
                                        std::span<const uint8_t> bytes, const Md5& md5) {
  const auto reply = call(
      {"PUT", file, {{"partNumber", fmt::format("{}", number)}, {"uploadId", id}}, body_headers(md5), bytes});
  if (!reply) return reply.error();
  const std::string etag = etag_of(*reply);
  if (has_md5(*reply) && etag != hex_of(md5))
    return S3Failure{S3Fault::kDamaged,
                     fmt::format("{}: what the server has of part {} is not what was sent; upload it again",
                                 file.text(), number)};
  return ListedPart{number, bytes.size(), etag};
}

S3Result<std::string> S3Client::complete_upload(const S3Url& file, const std::string& id,
                                                const std::vector<ListedPart>& parts) {
  const std::string text = complete_upload_text(parts);
  // The server sends blanks while it puts a large file together.
  constexpr std::chrono::seconds kTogether{300};
  const auto reply = call({"POST",
                           file,
                           {{"uploadId", id}},
                           {{"Content-Type", "application/xml"}},
                           bytes_of_text(text),
                           kTogether});
  if (!reply) return reply.error();
  return understood(file, read_completed_etag(reply->text()));
}

S3Result<void> S3Client::abort_upload(const S3Url& file, const std::string& id) {
  const auto reply = call({"DELETE", file, {{"uploadId", id}}});
  if (!reply && reply.error().code != "NoSuchUpload") return reply.error();
  return {};
}

// A reply that is what was wanted: S3 also puts errors into replies with status 200, of requests that take
// long.
S3Result<WebReply> S3Client::call(const Call& call) {
  bool renewed = false, moved = false;
  for (int attempt = 1;; ++attempt) {
    WebReply reply;
    try {
      reply = send(call);
    } catch (const Error& error) {  // of a source of credentials
      return S3Failure{S3Fault::kCredentials, error.what()};
    }
    if (reply.ok() && (call.method != "POST" || !read_error(reply.text()))) return reply;
    if (!moved && take_region_from(reply)) {
      moved = true;
      continue;
    }
    S3Failure failure = failure_of(reply, call.place.text(), server_of(call.place));
    failure.reason = credentials_.without_secrets(std::move(failure.reason));
    if (failure.fault == S3Fault::kCredentials && !renewed) {
      credentials_.forget();
      renewed = true;
      continue;
    }
    if (!is_passing(reply) || attempt >= retry_.attempts) return failure;
    if (!retry_.sleep(retry_.wait_after(attempt)))
      return S3Failure{S3Fault::kStopped, fmt::format("{}: stopped by a signal", call.place.text())};
  }
}

WebReply S3Client::send(const Call& call) {
  const std::string in_region = region();
  std::string url = settings_.url_of(call.place, in_region);
  if (!call.query.empty()) url += "?" + query_text(call.query);
  return http_.send({.method = call.method,
                     .url = std::move(url),
                     .headers = call.headers,
                     .body = call.body,
                     .signing = Signing{credentials_.get(), in_region},
                     .patience = std::max(settings_.patience, call.at_least)});
}

// AWS names the bucket's region when a request went to another one. True when there is one to try.
bool S3Client::take_region_from(const WebReply& reply) {
  if (reply.status != 301 && reply.status != 307 && reply.status != 400) return false;
  std::string named = reply.header("x-amz-bucket-region");
  if (const auto error = read_error(reply.text()); named.empty() && error) named = error->region;
  if (named.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) return false;
  const std::lock_guard lock(mutex_);
  if (named.empty() || named == region_) return false;
  region_ = named;
  return true;
}

std::string S3Client::region() {
  const std::lock_guard lock(mutex_);
  return region_;
}

std::string S3Client::server_of(const S3Url& place) {
  const std::string url = settings_.url_of({place.bucket, ""}, region());
  return url.substr(0, url.find('/', url.find("://") + 3));
}

template <class T>
S3Result<T> S3Client::understood(const S3Url& place, Result<T> answer) {
  if (answer) return std::move(*answer);
  return S3Failure{S3Fault::kUnwell,
                   fmt::format("{}: {} does not answer as S3 does: {}; see AWS_ENDPOINT_URL", place.text(),
                               server_of(place), answer.error().reason)};
}

}  // namespace nowhere
