#include "s3/credential_sources.h"

#include <fmt/core.h>

#include <boost/json.hpp>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "s3/digest.h"
#include "s3/profiles.h"
#include "s3/xml.h"

namespace nowhere {
namespace {

// The services that hand out credentials are on this machine or next to it.
constexpr std::chrono::seconds kNear{2}, kFar{15};

std::string read_token(const std::string& file, const char* variable) {
  std::vector<uint8_t> bytes;
  if (auto read = read_file(file, bytes); !read)
    throw Error(fmt::format("the token that {} names cannot be read: {}", variable, read.error().reason));
  std::string token(bytes.begin(), bytes.end());
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  return token;
}

// {"AccessKeyId": ..., "SecretAccessKey": ..., "Token": ..., "Expiration": ...}
std::optional<Credentials> credentials_of_json(std::string_view text) {
  boost::system::error_code error;
  const boost::json::value json = boost::json::parse(text, error);
  if (error || !json.is_object()) return std::nullopt;
  const auto field = [&](const char* name) -> std::string {
    const auto* value = json.as_object().if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
  };
  Credentials credentials{field("AccessKeyId"), field("SecretAccessKey"), field("Token"),
                          parse_time(field("Expiration"))};
  if (credentials.access_key.empty() || credentials.secret_key.empty()) return std::nullopt;
  return credentials;
}

std::string why(const WebReply& reply) {
  return reply.fault != WebFault::kNone ? reply.reason : fmt::format("it answered {}", reply.status);
}

bool may_get_token(const std::string& uri) {
  if (uri.starts_with("https://")) return true;
  for (const char* host :
       {"127.0.0.1", "localhost", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"}) {
    const std::string begin = fmt::format("http://{}", host);
    if (uri.starts_with(begin) &&
        (uri.size() == begin.size() || uri[begin.size()] == ':' || uri[begin.size()] == '/'))
      return true;
  }
  return false;
}

}  // namespace

std::optional<Credentials> environment_credentials(const Environment& environment) {
  const auto key = environment("AWS_ACCESS_KEY_ID"), secret = environment("AWS_SECRET_ACCESS_KEY");
  if (!key && !secret) return std::nullopt;
  if (!key || !secret)
    throw Error(fmt::format("{} is not set, though the other half of the credentials is; set both or neither",
                            key ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID"));
  return Credentials{*key, *secret, environment("AWS_SESSION_TOKEN").value_or(""), {}};
}

std::optional<Credentials> profile_credentials(const Environment& environment) {
  const Profile profile = read_profile(environment);
  if (profile.named && !profile.found)
    throw Error(
        fmt::format("the profile {} of AWS_PROFILE is in neither ~/.aws/credentials nor ~/.aws/config; "
                    "name one that is, or unset AWS_PROFILE",
                    printable_text(profile.name)));
  Credentials credentials{profile.get("aws_access_key_id"),
                          profile.get("aws_secret_access_key"),
                          profile.get("aws_session_token"),
                          {}};
  if (!credentials.access_key.empty() && !credentials.secret_key.empty()) return credentials;
  if (profile.named)
    throw Error(
        fmt::format("the profile {} of AWS_PROFILE has no aws_access_key_id and aws_secret_access_key; "
                    "roles, SSO and credential_process of profiles are not supported: put keys there, or "
                    "into the environment (aws configure export-credentials)",
                    printable_text(profile.name)));
  return std::nullopt;
}

std::optional<Credentials> web_identity_credentials(const Environment& environment,
                                                    const S3Settings& settings, WebClient& http) {
  const auto file = environment("AWS_WEB_IDENTITY_TOKEN_FILE"), role = environment("AWS_ROLE_ARN");
  if (!file || !role) return std::nullopt;
  const std::string form =
      query_text({{"Action", "AssumeRoleWithWebIdentity"},
                  {"Version", "2011-06-15"},
                  {"RoleArn", *role},
                  {"RoleSessionName", environment("AWS_ROLE_SESSION_NAME").value_or("nowhere")},
                  {"WebIdentityToken", read_token(*file, "AWS_WEB_IDENTITY_TOKEN_FILE")}});
  const WebReply reply = http.send({.method = "POST",
                                    .url = settings.sts_endpoint + "/",
                                    .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                                    .body = bytes_of_text(form),
                                    .longest = kFar});
  if (reply.ok())
    if (auto credentials = read_sts_credentials(reply.text())) return *credentials;
  const auto error = read_error(reply.text());
  throw Error(fmt::format(
      "{} gives no credentials for the role of AWS_ROLE_ARN: {}; see its trust policy and the token",
      settings.sts_endpoint,
      error ? fmt::format("{} ({})", printable_text(error->message), error->code) : why(reply)));
}

std::optional<Credentials> container_credentials(const Environment& environment, WebClient& http) {
  const auto relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
             full = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (!relative && !full) return std::nullopt;
  const std::string uri = relative ? "http://169.254.170.2" + *relative : *full;
  if (!may_get_token(uri))
    throw Error(
        "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor an address of this machine or of its "
        "container agent; a token is sent to no other");
  WebRequest request{.url = uri, .longest = kNear, .direct = true};
  if (const auto token_file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
    request.headers.emplace_back("Authorization",
                                 read_token(*token_file, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"));
  else if (const auto token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN"))
    request.headers.emplace_back("Authorization", *token);
  const WebReply reply = http.send(request);
  if (reply.ok())
    if (auto credentials = credentials_of_json(reply.text())) return credentials;
  throw Error(
      fmt::format("the container's agent gives no credentials: {}; see the role of the task, and "
                  "AWS_CONTAINER_CREDENTIALS_*",
                  reply.ok() ? "its answer holds none" : why(reply)));
}

std::optional<Credentials> instance_credentials(const Environment& environment, WebClient& http) {
  if (lower(environment("AWS_EC2_METADATA_DISABLED").value_or("")) == "true") return std::nullopt;
  std::string host = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT").value_or("http://169.254.169.254");
  while (host.ends_with('/')) host.pop_back();
  WebRequest request{.method = "PUT",
                     .url = host + "/latest/api/token",
                     .headers = {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}},
                     .longest = kNear,
                     .direct = true};
  const WebReply token = http.send(request);
  if (!token.ok()) return std::nullopt;  // not on an instance of EC2
  const std::string roles = host + "/latest/meta-data/iam/security-credentials/";
  request = {.url = roles,
             .headers = {{"X-aws-ec2-metadata-token", std::string(token.text())}},
             .longest = kNear,
             .direct = true};
  const WebReply role = http.send(request);
  if (!role.ok()) return std::nullopt;  // the instance has no role
  request.url = roles + escape_url(role.text().substr(0, role.text().find('\n')));
  const WebReply reply = http.send(request);
  if (reply.ok())
    if (auto credentials = credentials_of_json(reply.text())) return credentials;
  throw Error(fmt::format("the instance's metadata service gives no credentials: {}; see the instance's role",
                          reply.ok() ? "its answer holds none" : why(reply)));
}

}  // namespace nowhere
