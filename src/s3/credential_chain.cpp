#include "s3/credential_chain.h"

#include "core/error.h"
#include "s3/credential_sources.h"

namespace nowhere {

CredentialChain::CredentialChain(Environment environment, S3Settings settings, WebClient& http, Now now)
    : environment_(std::move(environment)),
      settings_(std::move(settings)),
      http_(http),
      now_(std::move(now)) {}

Credentials CredentialChain::get() {
  // A request that begins with them may take a while.
  constexpr std::chrono::minutes kEarly{5};
  const std::lock_guard lock(mutex_);
  const bool ends_soon = current_ && current_->expires && *current_->expires - now_() < kEarly;
  if (current_ && !ends_soon) return *current_;
  try {
    current_ = find();
  } catch (const Error&) {
    if (!current_ || *current_->expires <= now_()) throw;  // those at hand serve for some minutes more
  }
  return *current_;
}

void CredentialChain::forget() {
  const std::lock_guard lock(mutex_);
  current_.reset();
}

std::string CredentialChain::without_secrets(std::string text) {
  const std::lock_guard lock(mutex_);
  if (!current_) return text;
  for (const std::string& secret : {current_->access_key, current_->secret_key, current_->session_token})
    for (size_t at = 0; !secret.empty() && (at = text.find(secret, at)) != std::string::npos;)
      text.replace(at, secret.size(), "***");
  return text;
}

Credentials CredentialChain::find() {
  if (auto found = environment_credentials(environment_)) return *found;
  if (auto found = profile_credentials(environment_)) return *found;
  if (auto found = web_identity_credentials(environment_, settings_, http_)) return *found;
  if (auto found = container_credentials(environment_, http_)) return *found;
  if (auto found = instance_credentials(environment_, http_)) return *found;
  throw Error(
      "there are no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE for "
      "a profile of ~/.aws/credentials, or run where a role gives them (EC2, ECS, EKS)");
}

}  // namespace nowhere
