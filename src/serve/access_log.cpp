#include "serve/access_log.h"

#include <fmt/chrono.h>

#include <boost/json.hpp>
#include <chrono>

#include "core/console.h"
#include "core/error.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr size_t kMaxPathLength = 512;  // bounded, whatever the client sent

}  // namespace

std::string access_line(const HttpRequest& request, const HttpResponse& response, double seconds,
                        int64_t milliseconds_since_1970) {
  const auto time = static_cast<std::time_t>(milliseconds_since_1970 / 1000);
  const boost::json::object line = {
      {"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(time), milliseconds_since_1970 % 1000)},
      {"remote", printable_text(request.remote_address)},
      {"method", printable_text(request.method)},
      {"route", request.route},
      {"path", printable_text(std::string_view(request.target).substr(0, kMaxPathLength))},
      {"status", response.status},
      {"bytes", request.method == "HEAD" ? 0 : response.body.bytes().size()}};
  // Boost would write 0.1 as 1E-1.
  std::string text = boost::json::serialize(line);
  text.back() = ',';
  return text + fmt::format("\"milliseconds\":{:.1f}}}", seconds * 1000);
}

AccessLog::AccessLog(const std::string& where) : to_stderr_(where == "-") {
  if (where.empty() || to_stderr_) return;
  auto file = AppendFile::open(where, AppendFile::Open::kNewOrExisting);
  if (!file) throw usage_error(file.error().reason + "; give another --access-log");
  file_.emplace(std::move(*file));
}

void AccessLog::write(const HttpRequest& request, const HttpResponse& response, double seconds) {
  if (!to_stderr_ && !file_) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string line = access_line(request, response, seconds,
                                       std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) +
                           '\n';
  if (to_stderr_) return print_message(line);
  const std::lock_guard lock(mutex_);
  file_->append(line);
}

}  // namespace nowhere
