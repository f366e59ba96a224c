// A run, or a lone checkpoint, in a bucket.
#pragma once

#include <functional>
#include <string>

#include "core/environment.h"
#include "run/run_reader.h"

namespace nowhere {

// "s3://bucket/runs/streets", or a checkpoint below it (.pt). Throws a usage error for what is no such
// address, a data error when a lone checkpoint is not there.
RunReader open_s3_run(const std::string& url, const Environment& environment,
                      const std::function<bool()>& stopped);

}  // namespace nowhere
