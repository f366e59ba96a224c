// Photographs to the frames of a packed file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/pack_writer.h"
#include "data/packer.h"
#include "data/source.h"
#include "image/jpeg.h"
#include "image/resize.h"

namespace nowhere {

// One photograph on its way from a worker to the writer: rejected, found to be there, or made.
struct MadeFrame {
  std::string reject_reason;
  std::optional<KnownRecord> known;  // with its new origin
  std::vector<uint8_t> frame;        // as the pack holds it
  Origin origin;                     // of `frame`
};

// One per thread.
class FrameMaker {
 public:
  FrameMaker(const Source& source, const PackConfig& config) : source_(source), config_(config) {}

  // `known` are the records that have the photograph's identity. One that was made of a file with the same
  // bytes saves the work.
  MadeFrame make(uint32_t photo, std::span<const KnownRecord> known);

 private:
  std::optional<KnownRecord> same_content(uint32_t photo, std::span<const KnownRecord> known, uint64_t stamp);
  bool fits_as_it_is(const Frame& record) const;
  ImageView shrink(ImageView frame);

  const Source& source_;
  const PackConfig& config_;
  Source::Scratch scratch_;
  Resizer resizer_;
  JpegEncoder encoder_;
  Image small_;
};

}  // namespace nowhere
