// The credentials in use: the first source that has some, asked again before they expire.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/environment.h"
#include "s3/settings.h"
#include "s3/web.h"

namespace nowhere {

// Any thread. `http` and what the environment refers to outlive it.
class CredentialChain {
 public:
  using Now = std::function<std::chrono::system_clock::time_point()>;
  CredentialChain(Environment environment, S3Settings settings, WebClient& http,
                  Now now = std::chrono::system_clock::now);

  // Throws an Error when no source has any, or when one fails.
  Credentials get();
  // The server refuses them as expired: the next get() asks the sources again.
  void forget();
  // Text of the server's, which might repeat what it was sent.
  std::string without_secrets(std::string text);

 private:
  Credentials find();

  const Environment environment_;
  const S3Settings settings_;
  WebClient& http_;
  const Now now_;
  std::mutex mutex_;  // guards current_; held while a source is asked, so that one thread asks for all
  std::optional<Credentials> current_;
};

}  // namespace nowhere
