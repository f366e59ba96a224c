#include "core/error.h"

#include <cctype>
#include <system_error>

namespace nowhere {

std::string system_reason(int error_number) {
  std::string reason = std::generic_category().message(error_number);
  if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return reason;
}

void throw_exception_from_error(const Failure& failure, const boost::source_location&) {
  throw Error(failure.reason);
}

}  // namespace nowhere
