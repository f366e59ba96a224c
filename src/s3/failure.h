// What S3 refuses, and what to do about it.
#pragma once

#include <string>

#include "core/error.h"
#include "s3/web.h"
#include "s3/xml.h"

namespace nowhere {

enum class S3Fault {
  kNoBucket,
  kNoKey,
  kDenied,       // the credentials are known, but may not do that
  kCredentials,  // there are none, or they are wrong or expired
  kClock,        // this machine's
  kUnreachable,  // nobody answers there
  kUnwell,       // somebody does, but not as S3 would, or not in time
  kDamaged,      // what arrived is not what was sent
  kStopped       // by a signal
};

struct S3Failure {
  S3Fault fault = S3Fault::kUnwell;
  std::string reason;     // one line: what, where, what to do
  std::string code = {};  // S3's word, "NoSuchUpload"; empty where there is none
};

template <class T>
using S3Result = boost::system::result<T, S3Failure>;

// What is missing is a data error, what a signal stopped has the signal's exit code, the rest is failed work.
Error error_of(const S3Failure& failure);
// Taking the value of a failed S3Result throws that error.
[[noreturn]] void throw_exception_from_error(const S3Failure& failure, const boost::source_location&);

// Of a reply that is not what was wanted; `where` is the s3:// place and `endpoint` who answered.
S3Failure failure_of(const WebReply& reply, const std::string& where, const std::string& endpoint);

// What the same request may not meet again: overload, timeouts, lost connections.
bool is_passing(const WebReply& reply);

}  // namespace nowhere
