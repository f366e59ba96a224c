// The files of web/ as they are served.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "net/http.h"
#include "serve/embedded.h"

namespace nowhere {

struct Asset {
  std::string mime;
  std::string etag;
  HttpBody body;
};

// Constant once it is made. Any thread.
//
// Pages, scripts and styles name each other as "/assets/NAME" or "./NAME". The version of all files together
// is appended to those names, so a browser may cache the files for ever and still never mix old ones with new
// ones.
class Assets {
 public:
  explicit Assets(std::span<const EmbeddedFile> files);

  const Asset* find(std::string_view name) const;  // null when there is none
  const std::string& version() const { return version_; }

 private:
  std::string version_;
  std::map<std::string, Asset, std::less<>> assets_;
};

}  // namespace nowhere
