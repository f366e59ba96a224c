// One line of JSON per request.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "net/http.h"
#include "observe/append_file.h"

namespace nowhere {

// Any thread. A full disk loses lines and nothing else.
class AccessLog {
 public:
  // "-" for stderr, empty for none. Throws a usage error when the file cannot be opened.
  explicit AccessLog(const std::string& where);

  void write(const HttpRequest& request, const HttpResponse& response, double seconds);

 private:
  bool to_stderr_;
  std::mutex mutex_;
  std::optional<AppendFile> file_;
};

// Without the line break. `milliseconds_since_1970` is the time of the response.
std::string access_line(const HttpRequest& request, const HttpResponse& response, double seconds,
                        int64_t milliseconds_since_1970);

}  // namespace nowhere
