#include "s3/settings.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/text.h"
#include "s3/profiles.h"

namespace nowhere {
namespace {

std::string domain_of(const std::string& region) {
  return region.starts_with("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

// An address without a path's slash at its end, or a usage error.
std::string checked_endpoint(std::string text, const std::string& where) {
  while (text.ends_with('/')) text.pop_back();
  const size_t host = text.starts_with("http://") ? 7 : text.starts_with("https://") ? 8 : 0;
  if (host == 0 || text.size() == host || text.find_first_of("?#@ ", host) != std::string::npos)
    throw usage_error(
        fmt::format("{} is no address of a server; give one such as http://127.0.0.1:9000", where));
  return text;
}

int checked_number(const Environment& environment, const char* name, int standard, int high) {
  const auto text = environment(name);
  if (!text) return standard;
  const auto number = parse_integer(*text);
  if (!number || *number < 1 || *number > high)
    throw usage_error(
        fmt::format("{} is '{}'; give a whole number from 1 to {}, or take it out of the environment", name,
                    printable_text(*text), high));
  return static_cast<int>(*number);
}

// A region becomes part of a host name.
std::string checked_region(const std::string& region) {
  if (region.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos) return region;
  throw usage_error(fmt::format("'{}' is no region of AWS; set AWS_REGION to one such as eu-north-1",
                                printable_text(region)));
}

std::optional<std::string> first_endpoint(const Environment& environment, const Profile& profile,
                                          std::initializer_list<const char*> variables) {
  for (const char* name : variables)
    if (const auto value = environment(name)) return checked_endpoint(*value, name);
  if (const std::string value = profile.get("endpoint_url"); !value.empty())
    return checked_endpoint(value,
                            fmt::format("endpoint_url of the profile {}", printable_text(profile.name)));
  return std::nullopt;
}

}  // namespace

S3Settings S3Settings::read(const Environment& environment) {
  constexpr int kMostAttempts = 100, kMostSeconds = 3600;
  const Profile profile = read_profile(environment);
  S3Settings settings;
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (settings.region.empty()) settings.region = checked_region(environment(name).value_or(""));
  if (settings.region.empty()) settings.region = checked_region(profile.get("region"));
  settings.endpoint = first_endpoint(environment, profile, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  const std::string region = settings.first_region();
  settings.sts_endpoint = first_endpoint(environment, profile, {"AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"})
                              .value_or(fmt::format("https://sts.{}.{}", region, domain_of(region)));
  settings.certificates = environment("AWS_CA_BUNDLE").value_or("");
  settings.attempts = checked_number(environment, "AWS_MAX_ATTEMPTS", settings.attempts, kMostAttempts);
  settings.patience = std::chrono::seconds(checked_number(
      environment, "NOWHERE_S3_PATIENCE", static_cast<int>(settings.patience.count()), kMostSeconds));
  return settings;
}

std::string S3Settings::first_region() const {
  return region.empty() ? "us-east-1" : region;
}

std::string S3Settings::url_of(const S3Url& place, const std::string& region_of_bucket) const {
  const std::string key = escape_key(place.path);
  if (endpoint) return fmt::format("{}/{}/{}", *endpoint, place.bucket, key);
  const std::string host = fmt::format("s3.{}.{}", region_of_bucket, domain_of(region_of_bucket));
  // A certificate for *.s3... does not cover names with dots, and host names know no upper case and no
  // underscores.
  const bool in_path =
      place.bucket.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos;
  return in_path ? fmt::format("https://{}/{}/{}", host, place.bucket, key)
                 : fmt::format("https://{}.{}/{}", place.bucket, host, key);
}

}  // namespace nowhere
