// A request's parameters as values within their ranges, and the first error among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "serve/picture_request.h"
#include "serve/query.h"

namespace nowhere {

// Once a value was wrong, the values returned mean nothing. Limits are checked before memory is allocated for
// a value.
class ParameterReader {
 public:
  explicit ParameterReader(const Parameters& parameters) : parameters_(parameters) {}

  bool has(std::string_view name) const { return parameters_.contains(name); }
  uint64_t integer(std::string_view name, uint64_t low, uint64_t high);  // required
  uint64_t integer(std::string_view name, uint64_t low, uint64_t high, uint64_t fallback);
  double number(std::string_view name, double low, double high, double fallback);
  std::vector<uint64_t> seeds(std::string_view name, size_t min, size_t max);
  // `min` to `max` hex digits, in lower case; empty when absent.
  std::string hex(std::string_view name, size_t min, size_t max);
  PictureFormat format(std::initializer_list<PictureFormat> offered);  // "format", required; 404 otherwise

  bool failed() const { return status_ != 0; }
  HttpResponse refusal() const { return error_response(status_, message_); }

 private:
  void fail(int status, std::string message);
  std::string_view text(std::string_view name) const;

  const Parameters& parameters_;
  int status_ = 0;
  std::string message_;
};

}  // namespace nowhere
