#include "cli/open_run.h"

#include "core/environment.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "s3/s3_run.h"
#include "s3/url.h"

namespace nowhere {

RunReader open_run(const std::string& where) {
  return is_s3_url(where) ? open_s3_run(where, process_environment(), stop_requested)
                          : RunReader::open(where);
}

std::string printable_run(const std::string& where) {
  return is_s3_url(where) ? printable_text(where) : printable(where);
}

}  // namespace nowhere
