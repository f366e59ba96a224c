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
// Pages, scripts and styles name each other as "/assets/NAME" or "./NAME"; there the version of all files together is
// put behind the name, so that a browser may keep them for ever and still never mixes old ones with new.
class Assets {
 public:
  explicit Assets(std::span<const EmbeddedFile> files);

  const Asset* find(std::string_view name) const;  // none when there is none
  const std::string& version() const { return version_; }

 private:
  std::string version_;
  std::map<std::string, Asset, std::less<>> assets_;
};

}  // namespace nowhere
