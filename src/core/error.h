// The one error type, and the return value for failures that are expected.
#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace nowhere {

// Exit codes of the process.
enum class Exit { kDone = 0, kFailed = 1, kUsage = 2, kData = 3 };

// Ends the work. The message says what was wrong, where, and what to do; `main` prints it as one line.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Exit exit = Exit::kFailed)
      : std::runtime_error(message), exit_(exit) {}
  Exit exit() const { return exit_; }

 private:
  Exit exit_;
};

inline Error usage_error(const std::string& message) {
  return Error(message, Exit::kUsage);
}
inline Error data_error(const std::string& message) {
  return Error(message, Exit::kData);
}

// The system's text for an errno: "no space left on device".
std::string system_reason(int error_number);

// An expected failure (a corrupt photograph, a bad record): a reason that a table or a CSV can show.
struct Failure {
  std::string reason;
};

// Taking the value of a failed Result turns the failure into an Error.
[[noreturn]] void throw_exception_from_error(const Failure& failure, const boost::source_location&);

template <class T>
using Result = boost::system::result<T, Failure>;

}  // namespace nowhere
