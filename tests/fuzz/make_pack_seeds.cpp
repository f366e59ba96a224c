// Small packs for the fuzzer to start from: raw and JPEG, of the middle rows, finished and not; and an index.
#include <fmt/core.h>

#include "core/file.h"
#include "data/index_file.h"
#include "data/pack_writer.h"
#include "image/jpeg.h"

namespace nowhere {
namespace {

void write_seed(const std::filesystem::path& path, Codec codec, int records, bool finish,
                const CropSize& crop = {}) {
  std::filesystem::remove(path);
  PackWriter writer(path, 16, codec, crop);
  JpegEncoder encoder;
  Photos photos;
  photos.folders.emplace_back();
  for (int i = 0; i < records; ++i) {
    Photo photo;
    photo.city = photos.cities.add("oslo");
    photo.sequence = photos.sequences.add("oslo/drive");
    photo.frame = i;
    photos.set_name(photo, fmt::format("photo{}.jpg", i));
    const Image picture(20, 16, static_cast<uint8_t>(40 * i));
    const auto payload = codec == Codec::kRaw ? std::span<const uint8_t>(picture.pixels)
                                              : encoder.encode(picture.view(), 80, Chroma::kFull);
    writer.add(fmt::format("{}", i), encode_meta(photos, photo, plain_packed_name(photos, photo)),
               encode_frame({20, 16, codec, payload, 32}), Origin{});
  }
  writer.commit();
  if (finish) writer.finish("seeds", {});
}

void write_index_seed(const std::filesystem::path& path, const std::filesystem::path& pack) {
  std::vector<PackReader> packs;
  packs.push_back(PackReader::open_header(pack));
  write_index(path, make_pack_index(packs), {});
}

}  // namespace
}  // namespace nowhere

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  nowhere::write_seed(folder / "raw.nwp", nowhere::Codec::kRaw, 5, true);
  nowhere::write_seed(folder / "jpeg.nwp", nowhere::Codec::kJpeg, 5, true);
  nowhere::write_seed(folder / "middle.nwp", nowhere::Codec::kRaw, 2, true,
                      {nowhere::CropSize::Unit::kPixels, 16});
  nowhere::write_seed(folder / "unfinished.nwp", nowhere::Codec::kRaw, 3, false);
  nowhere::write_seed(folder / "empty.nwp", nowhere::Codec::kRaw, 0, true);
  nowhere::write_index_seed(folder / "small.index", folder / "raw.nwp");
  return 0;
}
