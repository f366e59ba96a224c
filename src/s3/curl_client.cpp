#include "s3/curl_client.h"

#include <curl/curl.h>
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.h"
#include "core/text.h"
#include "s3/digest.h"

namespace nowhere {
namespace {

// A part of a file is 16 MiB, and whoever sends more than that for any other request is not S3.
constexpr size_t kLargestReply = 64 << 20;
constexpr long kConnectSeconds = 10;

struct Transfer {
  std::span<const uint8_t> left;  // of the request's body
  std::span<const uint8_t> whole;
  WebReply reply;
  const std::function<bool()>* stopped;
};

size_t take_body(char* data, size_t, size_t size, void* target) {
  auto& body = static_cast<Transfer*>(target)->reply.body;
  if (body.size() + size > kLargestReply) return 0;
  body.insert(body.end(), data, data + size);
  return size;
}

size_t take_header(char* data, size_t, size_t size, void* target) {
  auto& headers = static_cast<Transfer*>(target)->reply.headers;
  std::string_view line(data, size);
  if (line.starts_with("HTTP/")) headers.clear();  // those of "100 Continue" are over
  const size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && std::strchr(" \t\r\n", value.back()) != nullptr) value.remove_suffix(1);
    while (!value.empty() && std::strchr(" \t", value.front()) != nullptr) value.remove_prefix(1);
    headers[lower(line.substr(0, colon))] = value;
  }
  return size;
}

size_t give_body(char* data, size_t, size_t size, void* source) {
  auto& left = static_cast<Transfer*>(source)->left;
  const size_t count = std::min(size, left.size());
  std::copy_n(left.begin(), count, data);
  left = left.subspan(count);
  return count;
}

// libcurl sends a body again when a kept connection turns out to be closed.
int rewind_body(void* source, curl_off_t offset, int origin) {
  auto& transfer = *static_cast<Transfer*>(source);
  if (origin != SEEK_SET || offset < 0 || static_cast<size_t>(offset) > transfer.whole.size())
    return CURL_SEEKFUNC_FAIL;
  transfer.left = transfer.whole.subspan(static_cast<size_t>(offset));
  return CURL_SEEKFUNC_OK;
}

int ask_to_stop(void* source, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& stopped = *static_cast<Transfer*>(source)->stopped;
  return stopped && stopped() ? 1 : 0;
}

WebFault fault_of(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return WebFault::kUnreachable;
    case CURLE_OPERATION_TIMEDOUT:
      return WebFault::kTimeout;
    case CURLE_ABORTED_BY_CALLBACK:
      return WebFault::kStopped;
    default:
      return WebFault::kBroken;
  }
}

// OpenSSL writes to connections that are closed already, which would end the process; libcurl sees the error.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

// Once for the process; libcurl asks for it before there are threads that use it.
void prepare_libcurl() {
  static const CURLcode made = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (made != CURLE_OK) throw Error(fmt::format("libcurl cannot be used: {}", curl_easy_strerror(made)));
}

}  // namespace

std::string WebReply::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found != headers.end() ? found->second : "";
}

struct CurlClient::Handle {
  Handle() : easy(curl_easy_init(), curl_easy_cleanup), lines(nullptr, curl_slist_free_all) {
    if (easy == nullptr) throw Error("libcurl has no memory for a request");
  }

  template <class T>
  void set(CURLoption option, T value) {
    if (const CURLcode code = curl_easy_setopt(easy.get(), option, value); code != CURLE_OK)
      throw Error(fmt::format("libcurl refuses a setting ({}); the program needs libcurl 7.88 or newer",
                              curl_easy_strerror(code)));
  }

  void add_line(const std::string& line) {
    curl_slist* longer = curl_slist_append(lines.get(), line.c_str());
    if (longer == nullptr) throw Error("libcurl has no memory for a request");
    std::ignore = lines.release();
    lines.reset(longer);
  }

  void prepare(const WebRequest& request, Transfer& transfer, const std::string& certificates);
  void set_body(const WebRequest& request, Transfer& transfer);
  void set_headers(const WebRequest& request);

  std::unique_ptr<CURL, void (*)(CURL*)> easy;
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> lines;
  std::array<char, CURL_ERROR_SIZE> reason = {};
};

void CurlClient::Handle::prepare(const WebRequest& request, Transfer& transfer,
                                 const std::string& certificates) {
  curl_easy_reset(easy.get());  // connections stay
  reason.fill(0);
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_PATH_AS_IS, 1L);  // a key may hold "..", and the signature is over the path
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ERRORBUFFER, reason.data());
  set(CURLOPT_CONNECTTIMEOUT, std::min(kConnectSeconds, static_cast<long>(request.patience.count())));
  set(CURLOPT_LOW_SPEED_LIMIT, 1024L);  // bytes a second
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.patience.count()));
  set(CURLOPT_TIMEOUT, static_cast<long>(request.longest.count()));
  set(CURLOPT_WRITEFUNCTION, take_body);
  set(CURLOPT_WRITEDATA, &transfer);
  set(CURLOPT_HEADERFUNCTION, take_header);
  set(CURLOPT_HEADERDATA, &transfer);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, ask_to_stop);
  set(CURLOPT_XFERINFODATA, &transfer);
  if (!certificates.empty()) set(CURLOPT_CAINFO, certificates.c_str());
  if (request.direct) set(CURLOPT_NOPROXY, "*");
  set_body(request, transfer);
  set_headers(request);
}

void CurlClient::Handle::set_body(const WebRequest& request, Transfer& transfer) {
  if (request.method == "PUT") {
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_READFUNCTION, give_body);
    set(CURLOPT_READDATA, &transfer);
    set(CURLOPT_SEEKFUNCTION, rewind_body);
    set(CURLOPT_SEEKDATA, &transfer);
    set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  } else if (request.method == "POST") {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.empty() ? "" : reinterpret_cast<const char*>(request.body.data()));
  } else if (request.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (request.method != "GET") {
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
}

void CurlClient::Handle::set_headers(const WebRequest& request) {
  lines.reset();
  for (const auto& [name, value] : request.headers) add_line(fmt::format("{}: {}", name, value));
  if (request.signing) {
    const Signing& signing = *request.signing;
    add_line("x-amz-content-sha256: " + hex_of(sha256_of(request.body)));
    if (!signing.credentials.session_token.empty())
      add_line("x-amz-security-token: " + signing.credentials.session_token);
    set(CURLOPT_AWS_SIGV4, fmt::format("aws:amz:{}:s3", signing.region).c_str());
    set(CURLOPT_USERNAME, signing.credentials.access_key.c_str());
    set(CURLOPT_PASSWORD, signing.credentials.secret_key.c_str());
  }
  set(CURLOPT_HTTPHEADER, lines.get());
}

CurlClient::CurlClient(std::function<bool()> stopped, std::string certificates)
    : stopped_(std::move(stopped)), certificates_(std::move(certificates)) {
  prepare_libcurl();
}

CurlClient::~CurlClient() = default;

std::unique_ptr<CurlClient::Handle> CurlClient::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Handle>();
  auto handle = std::move(idle_.back());
  idle_.pop_back();
  return handle;
}

void CurlClient::give_back(std::unique_ptr<Handle> handle) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(handle));
}

WebReply CurlClient::send(const WebRequest& request) {
  Transfer transfer{request.body, request.body, {}, &stopped_};
  auto handle = take();
  handle->prepare(request, transfer, certificates_);
  const CURLcode code = [&] {
    const WithoutPipeSignal blocked;  // in this thread
    return curl_easy_perform(handle->easy.get());
  }();
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(handle->easy.get(), CURLINFO_RESPONSE_CODE, &status);
    transfer.reply.status = static_cast<int>(status);
  } else {
    const std::string reason = handle->reason[0] != 0 ? handle->reason.data() : curl_easy_strerror(code);
    transfer.reply = {.fault = fault_of(code), .reason = printable_text(reason)};
  }
  give_back(std::move(handle));
  return std::move(transfer.reply);
}

}  // namespace nowhere
