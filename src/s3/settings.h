// Where S3 is and how patient to be with it, by the variables and files that AWS's own tools read.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/environment.h"
#include "s3/url.h"

namespace nowhere {

struct S3Settings {
  std::string region;                   // empty when nobody says
  std::optional<std::string> endpoint;  // "http://127.0.0.1:9000"; nothing for AWS
  std::string sts_endpoint;             // where a web identity becomes credentials
  std::string certificates;             // a file of certificates; empty for the system's
  int attempts = 5;
  std::chrono::seconds patience{30};  // with a server that sends and takes next to nothing

  // Throws a usage error for what makes no sense.
  static S3Settings read(const Environment& environment);

  // The region to begin with. AWS names the right one when it is wrong.
  std::string first_region() const;
  // Of the bucket, or of a key in it. Stores other than AWS get the bucket in the path.
  std::string url_of(const S3Url& place, const std::string& region) const;
};

}  // namespace nowhere
