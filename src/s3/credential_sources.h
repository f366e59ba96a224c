// Where credentials come from. Each source gives them, or nothing when it is not set up here; when it is, but
// fails, it throws an Error that says what to do.
#pragma once

#include <optional>

#include "core/environment.h"
#include "s3/settings.h"
#include "s3/web.h"

namespace nowhere {

// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
std::optional<Credentials> environment_credentials(const Environment& environment);

// The profile of AWS_PROFILE in the shared files.
std::optional<Credentials> profile_credentials(const Environment& environment);

// AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, exchanged at STS: pods of Kubernetes.
std::optional<Credentials> web_identity_credentials(const Environment& environment,
                                                    const S3Settings& settings, WebClient& http);

// AWS_CONTAINER_CREDENTIALS_FULL_URI or ..._RELATIVE_URI: tasks of ECS, pods with an identity agent.
std::optional<Credentials> container_credentials(const Environment& environment, WebClient& http);

// The role of an EC2 instance, by version 2 of its metadata service. Nothing where there is no such service.
std::optional<Credentials> instance_credentials(const Environment& environment, WebClient& http);

}  // namespace nowhere
