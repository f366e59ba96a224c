// HTTP's rules for caching and authorisation, independent of what is served.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"

namespace nowhere {

// What caches may do with a response: keep it for good, ask every time whether it still holds, keep nothing.
constexpr const char* kImmutable = "public, max-age=31536000, immutable";
constexpr const char* kRevalidate = "public, no-cache";
constexpr const char* kNoStore = "no-store";

// A strong ETag: quoted, the same for the same text.
std::string etag_of(std::string_view text);
// Whether a client that sent this If-None-Match already has the entity with this tag.
bool matches_etag(std::string_view if_none_match, std::string_view etag);

// The body with its headers, or 304 for a client that already has it.
HttpResponse cacheable_response(std::string_view if_none_match, const std::string& etag,
                                std::string cache_control, std::string content_type, HttpBody body);
HttpResponse json_response(std::string text);
HttpResponse redirect(std::string location);         // 302, not to be cached
HttpResponse unavailable(std::string_view message);  // 503, with Retry-After

// Sent with every response that does not have its own: pages of other sites may not even show what is served.
HttpHeaders security_headers();
// For a response that only its receiver may see: no shared cache keeps it, or anything that says nothing
// about caching.
void keep_private(HttpHeaders& headers);

// Compares "Bearer TOKEN" with the token, in a time that does not reveal how much of it is right.
bool has_token(std::string_view authorization, std::string_view token);

}  // namespace nowhere
