// What S3 and STS answer in XML.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "s3/web.h"

namespace nowhere {

struct XmlError {
  std::string code;     // "NoSuchBucket"
  std::string message;  // for people
  std::string region;   // the bucket's, where that is the error
};

struct ListedObject {
  std::string key;
  std::string etag;      // without quotes
  std::string modified;  // as the server spells it
  uint64_t size = 0;
};

struct ListedPage {
  std::vector<ListedObject> objects;
  std::string next;  // asks for the next page; empty when this is the last
};

struct ListedPart {
  int number = 0;  // from 1
  uint64_t size = 0;
  std::string etag;
};

struct ListedParts {
  std::vector<ListedPart> parts;
  std::string next;  // empty when these are the last
};

struct ListedUpload {
  std::string key, id;
};

// Nothing when the text is no error of S3.
std::optional<XmlError> read_error(std::string_view text);

// Failures say that the text is not what was asked for.
Result<ListedPage> read_object_page(std::string_view text);
Result<std::string> read_upload_id(std::string_view text);
Result<ListedParts> read_parts(std::string_view text);
Result<std::vector<ListedUpload>> read_uploads(std::string_view text);
Result<std::string> read_completed_etag(std::string_view text);
Result<Credentials> read_sts_credentials(std::string_view text);

// The body that makes one object of parts.
std::string complete_upload_text(const std::vector<ListedPart>& parts);

// "2026-11-17T22:31:39Z"; nothing for another text, or for a time that no clock here can hold.
std::optional<std::chrono::system_clock::time_point> parse_time(const std::string& text);

}  // namespace nowhere
