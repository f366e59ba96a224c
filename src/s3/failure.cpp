#include "s3/failure.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/signals.h"
#include "core/text.h"

namespace nowhere {
namespace {

struct KnownCode {
  std::string_view code;
  S3Fault fault;
  std::string_view what;
};

constexpr std::string_view kExpired =
    "the credentials have expired; get new ones (aws sso login, or a new AWS_SESSION_TOKEN) and start again";
constexpr std::string_view kWrongKey =
    "the access key is not known there; see AWS_ACCESS_KEY_ID or the profile, and AWS_ENDPOINT_URL";
constexpr std::string_view kWrongSecret =
    "the secret key does not fit the access key; see AWS_SECRET_ACCESS_KEY or the profile";

constexpr std::array kKnownCodes{
    KnownCode{"NoSuchBucket", S3Fault::kNoBucket,
              "there is no such bucket; see its name, AWS_REGION and AWS_ENDPOINT_URL"},
    KnownCode{"InvalidBucketName", S3Fault::kNoBucket, "that is no name of a bucket"},
    KnownCode{"NoSuchKey", S3Fault::kNoKey, "there is no such file in the bucket"},
    KnownCode{
        "AccessDenied", S3Fault::kDenied,
        "access is denied; the credentials need s3:ListBucket and s3:GetObject to read, and s3:PutObject and "
        "s3:AbortMultipartUpload to write"},
    KnownCode{"AllAccessDisabled", S3Fault::kDenied, "all access to the bucket is disabled; ask its owner"},
    KnownCode{"InvalidAccessKeyId", S3Fault::kCredentials, kWrongKey},
    KnownCode{"SignatureDoesNotMatch", S3Fault::kCredentials, kWrongSecret},
    KnownCode{"AuthFailure", S3Fault::kCredentials, kWrongKey},
    KnownCode{"InvalidToken", S3Fault::kCredentials,
              "the session token does not fit the access key; see AWS_SESSION_TOKEN or the profile"},
    KnownCode{"ExpiredToken", S3Fault::kCredentials, kExpired},
    KnownCode{"TokenRefreshRequired", S3Fault::kCredentials, kExpired},
    KnownCode{"RequestExpired", S3Fault::kCredentials, kExpired},
};

std::string clock_text(const WebReply& reply) {
  const std::string theirs = reply.header("date");
  return fmt::format(
      "this machine's clock differs too much from the server's{}; set it (timedatectl set-ntp true)",
      theirs.empty() ? "" : fmt::format(", which says {}", printable_text(theirs)));
}

S3Failure broken_connection(const WebReply& reply, const std::string& where, const std::string& endpoint) {
  if (reply.fault == WebFault::kStopped)
    return {S3Fault::kStopped, fmt::format("{}: stopped by a signal", where)};
  if (reply.fault == WebFault::kUnreachable)
    return {S3Fault::kUnreachable,
            fmt::format("{}: {} cannot be reached ({}); see AWS_ENDPOINT_URL, AWS_REGION and the network",
                        where, endpoint, reply.reason)};
  return {
      S3Fault::kUnwell,
      fmt::format("{}: {} {} ({}); try again later, or with a longer NOWHERE_S3_PATIENCE", where, endpoint,
                  reply.fault == WebFault::kTimeout ? "does not answer in time" : "breaks the connection",
                  reply.reason)};
}

// S3 gives no body with some of them.
std::string code_of_status(int status) {
  switch (status) {
    case 403:
      return "AccessDenied";
    case 404:
      return "NoSuchKey";
    default:
      return fmt::format("{}", status);
  }
}

}  // namespace

Error error_of(const S3Failure& failure) {
  if (failure.fault == S3Fault::kStopped && stop_requested())
    return Error(failure.reason, static_cast<Exit>(128 + stop_signal()));
  const bool missing = failure.fault == S3Fault::kNoBucket || failure.fault == S3Fault::kNoKey;
  return Error(failure.reason, missing ? Exit::kData : Exit::kFailed);
}

void throw_exception_from_error(const S3Failure& failure, const boost::source_location&) {
  throw error_of(failure);
}

S3Failure failure_of(const WebReply& reply, const std::string& where, const std::string& endpoint) {
  if (reply.fault != WebFault::kNone) return broken_connection(reply, where, endpoint);
  const auto error = read_error(reply.text());
  const std::string code = error ? printable_text(error->code) : code_of_status(reply.status);
  if (code == "RequestTimeTooSkewed")
    return {S3Fault::kClock, fmt::format("{}: {}", where, clock_text(reply)), code};
  const auto known = std::ranges::find(kKnownCodes, code, &KnownCode::code);
  if (known != kKnownCodes.end())
    return {known->fault, fmt::format("{}: {} ({} says {})", where, known->what, endpoint, code), code};
  return {S3Fault::kUnwell,
          fmt::format("{}: {} answers {}{}; try again later, and see that it is an S3 server", where,
                      endpoint, code, error ? fmt::format(" ({})", printable_text(error->message)) : ""),
          code};
}

bool is_passing(const WebReply& reply) {
  if (reply.fault != WebFault::kNone) return reply.fault != WebFault::kStopped;
  if (reply.status >= 500 || reply.status == 429 || reply.status == 408) return reply.status != 501;
  const auto error = read_error(reply.text());
  return error &&
         (error->code == "SlowDown" || error->code == "InternalError" || error->code == "RequestTimeout" ||
          error->code == "ServiceUnavailable" || error->code == "OperationAborted" ||
          error->code == "BadDigest" || error->code == "XAmzContentSHA256Mismatch");
}

}  // namespace nowhere
