// A request's parameters as values within their ranges, and the first thing that was wrong with them.
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

// Reads one after the other; what comes back once something was wrong means nothing. Limits hold before anything is
// made of a value.
class ParameterReader {
 public:
  explicit ParameterReader(const Parameters& parameters) : parameters_(parameters) {}

  bool has(std::string_view name) const { return parameters_.contains(name); }
  uint64_t integer(std::string_view name, uint64_t low, uint64_t high);  // has to be there
  uint64_t integer(std::string_view name, uint64_t low, uint64_t high, uint64_t standard);
  double number(std::string_view name, double low, double high, double standard);
  std::vector<uint64_t> seeds(std::string_view name, size_t least, size_t most);
  // So many hex digits, in small letters; empty when it is not there.
  std::string hex(std::string_view name, size_t least, size_t most);
  PictureFormat format(std::initializer_list<PictureFormat> offered);  // "format", has to be there; else 404

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
