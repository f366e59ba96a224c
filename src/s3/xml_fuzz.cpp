// Reads any text as every answer of S3 and STS. What it gives keeps the readers' promises: no empty code or
// id, and parts that are numbered from 1.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "s3/xml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nowhere;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto error = read_error(text); error && error->code.empty()) std::abort();
  if (const auto id = read_upload_id(text); id && id->empty()) std::abort();
  if (const auto parts = read_parts(text)) {
    for (const ListedPart& part : parts->parts)
      if (part.number < 1) std::abort();
  }
  (void)read_object_page(text);
  (void)read_uploads(text);
  (void)read_completed_etag(text);
  (void)read_sts_credentials(text);
  return 0;
}
