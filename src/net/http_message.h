// Between Beast's messages and ours. For connection.cpp only: it brings the whole of Beast along.
#pragma once

#include <string>
#include <string_view>

#include "net/beast.h"
#include "net/http.h"

namespace nowhere {

using BeastRequest = boost::beast::http::request<boost::beast::http::string_body>;
using BeastResponse = boost::beast::http::response<boost::beast::http::span_body<const uint8_t>>;

// The status for a request that could not be read; 0 when the client is gone or too slow, and gets no
// response.
int status_of(const boost::system::error_code& error);
std::string_view reason_of(int status);

// Takes the body out of `from`. False when the request cannot be served although it parses.
bool convert(BeastRequest& from, const std::string& address, HttpRequest& to);

bool may_have_body(int status);
// Refers to the body of `from`. `common` headers come first; those of `from` are added.
BeastResponse convert(const HttpResponse& from, const HttpHeaders& common, bool keep_alive);

}  // namespace nowhere
