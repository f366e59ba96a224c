// HTTP's rules about caching and permission, apart from what is served.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"

namespace nowhere {

constexpr const char* kImmutable = "public, max-age=31536000, immutable";
constexpr const char* kRevalidate = "public, no-cache";
constexpr const char* kNoStore = "no-store";

// A strong one: quoted, the same for the same text.
std::string etag_of(std::string_view text);
// Whether a client that sent this If-None-Match has what the tag names.
bool names_etag(std::string_view if_none_match, std::string_view etag);

// The body with its headers, or 304 for a client that has it.
HttpResponse cacheable(std::string_view if_none_match, const std::string& etag, std::string cache_control,
                       std::string content_type, HttpBody body);
HttpResponse json_response(std::string text);
HttpResponse redirect(std::string location);         // 302, not to be stored
HttpResponse unavailable(std::string_view message);  // 503, to be tried again

// What every response carries. A site in `shared` mode lets other sites' pages show its pictures.
HttpHeaders security_headers(bool shared);

// "Bearer TOKEN" against the token, in a time that does not tell how much of it is right.
bool has_token(std::string_view authorization, std::string_view token);

}  // namespace nowhere
