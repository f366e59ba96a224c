#include "data/split.h"

#include "core/hash.h"
#include "core/random.h"

namespace nowhere {

Split split_of(const Photos& photos, const Photo& photo) {
  constexpr auto kSalt = static_cast<uint64_t>(Purpose::kSplit);
  // A photograph without a sequence goes by its file name alone, so that moving the folder changes nothing.
  const std::string_view key = photo.sequence == kNoString ? photos.file_name(photo) : photos.sequence(photo);
  const double position = static_cast<double>(hash64(key, kSalt) >> 11) * 0x1p-53;
  if (position < kTrainShare) return Split::kTrain;
  return position < kTrainShare + kValidationShare ? Split::kValidation : Split::kTest;
}

}  // namespace nowhere
