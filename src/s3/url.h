// s3://bucket/prefix, and names as URLs spell them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace nowhere {

// A place in a bucket: a run's, whose files lie below it, or that of a single file.
struct S3Url {
  std::string bucket;
  std::string path;  // "runs/streets", without slashes at either end; empty for the bucket itself

  std::string text() const;                               // "s3://bucket/runs/streets"
  S3Url below(std::string_view name) const;               // with one more part
  std::pair<S3Url, std::string> folder_and_file() const;  // its last part taken off
  bool operator==(const S3Url&) const = default;
};

bool is_s3_url(std::string_view text);
Result<S3Url> parse_s3_url(std::string_view text);

// Percent-encoding as signatures want it: all but letters, digits and "-._~", in upper case.
std::string escape_url(std::string_view text);
// The same for a key, whose slashes stay.
std::string escape_key(std::string_view key);
// "%2F" -> "/". What is no escape stays.
std::string unescape_url(std::string_view text);

// "a=1&b=", sorted and escaped as signatures want it.
std::string query_text(std::vector<std::pair<std::string, std::string>> query);

}  // namespace nowhere
