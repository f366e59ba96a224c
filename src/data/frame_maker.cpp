#include "data/frame_maker.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/hash.h"

namespace nowhere {
namespace {

constexpr int kPackQuality = 92;

std::span<const uint8_t> contiguous(ImageView image) {
  return {image.data, image.stride * static_cast<size_t>(image.height)};  // frames come without gaps
}

}  // namespace

MadeFrame FrameMaker::make(uint32_t photo, std::span<const KnownRecord> known) {
  MadeFrame made;
  made.origin.stamp = source_.stamp(photo);  // first: what changes while it is read will not fit it
  if (const auto record = source_.packed(photo, scratch_); record && fits_as_it_is(*record)) {
    made.origin.content = hash64(scratch_.bytes);
    made.frame = encode_frame(*record);
    return made;
  }
  if (!known.empty() && (made.known = same_content(photo, known, made.origin.stamp))) return made;
  const auto frame = source_.frame(photo, {config_.height, config_.crop}, scratch_);
  if (!frame) {
    made.reject_reason = frame.error().reason;
    return made;
  }
  made.origin.content = hash64(scratch_.bytes);
  const ImageView small =
      shrink(source_.crop_size() == config_.crop ? frame->view : middle_rows(*frame, config_.crop));
  if (small.width > UINT16_MAX || small.height > UINT16_MAX) {
    made.reject_reason = fmt::format("too long: {} x {} pixels after shrinking", small.width, small.height);
    return made;
  }
  const auto payload =
      config_.codec == Codec::kRaw ? contiguous(small) : encoder_.encode(small, kPackQuality, Chroma::kFull);
  const int photo_side = config_.note_photo_sizes ? frame->short_side : 0;
  made.frame = encode_frame({small.width, small.height, config_.codec, payload, photo_side});
  return made;
}

std::optional<KnownRecord> FrameMaker::same_content(uint32_t photo, std::span<const KnownRecord> known,
                                                    uint64_t stamp) {
  if (!source_.read(photo, scratch_)) return std::nullopt;  // frame() will say why
  const uint64_t content = hash64(scratch_.bytes);
  for (KnownRecord record : known)
    if (record.origin.content == content) {
      record.origin.stamp = stamp;
      return record;
    }
  return std::nullopt;
}

// A record of another pack that this one would hold just so: copied, so that merging shards loses nothing.
bool FrameMaker::fits_as_it_is(const Frame& record) const {
  return record.codec == config_.codec && std::min(record.width, record.height) <= config_.height &&
         source_.crop_size() == config_.crop;
}

ImageView FrameMaker::shrink(ImageView frame) {
  if (std::min(frame.width, frame.height) <= config_.height) return frame;
  const auto [width, height] = fit_short_side(frame.width, frame.height, config_.height);
  small_ = resizer_.resize(frame, width, height);
  return small_.view();
}

}  // namespace nowhere
