#include "data/test_streets.h"

#include <fmt/core.h>

#include <cmath>

#include "core/file.h"
#include "core/random.h"
#include "image/encode.h"

namespace nowhere {

Image test_picture(int number, int width, int height) {
  Image image(width, height);
  Random random(static_cast<uint64_t>(number), Purpose::kSynth);
  std::array<std::array<double, 4>, 6> waves{};
  for (auto& wave : waves)
    wave = {random.uniform(0.02, 0.25), random.uniform(0.02, 0.25), random.uniform(0, 6),
            random.uniform(10, 40)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (size_t c = 0; c < 3; ++c) {
        double value = 128;
        for (size_t w = c; w < c + 4; ++w)
          value += waves[w][3] * std::sin(waves[w][0] * x + waves[w][1] * y + waves[w][2]);
        image.row(y)[x * 3 + static_cast<int>(c)] = static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
      }
  return image;
}

void write_jpeg(const std::filesystem::path& path, const Image& image) {
  write_file(path, encode_jpeg(image));
}

void make_city(const std::filesystem::path& root, const std::string& city, const std::string& subset,
               int sequences, int frames) {
  const auto folder = root / "train_val" / city / subset;
  make_directories(folder / "images");
  std::string seq_info = ",key,sequence_key,frame_number\n", raw = ",key,lon,lat,ca,captured_at,pano\n";
  std::string attributes = ",key,easting,northing,night,control_panel,view_direction,unique_cluster\n";
  int row = 0;
  for (int sequence = 0; sequence < sequences; ++sequence)
    for (int frame = 0; frame < frames; ++frame, ++row) {
      const std::string key = fmt::format("{}_{}_{}_{:03}", city, subset, sequence, frame);
      const auto number = static_cast<int>(std::hash<std::string>()(key) % 1'000'000);
      write_jpeg(folder / "images" / (key + ".jpg"), test_picture(number));
      seq_info += fmt::format("{},{},{}{}d{},{}\n", row, key, city, subset, sequence, frame);
      raw += fmt::format("{},{},0,0,0,2020-01-01,{}\n", row, key, frame == 1 ? "True" : "False");
      attributes += fmt::format("{},{},{},{},{},{},{},0\n", row, key, 1000 + frame, 2000 + 100 * sequence,
                                sequence % 2 == 1 ? "True" : "False", frame == 2 ? "True" : "False",
                                sequence == 0 ? "Sideways" : "Forward");
    }
  write_file(folder / "seq_info.csv", seq_info);
  write_file(folder / "raw.csv", raw);
  write_file(folder / "postprocessed.csv", attributes);
}

std::filesystem::path real_photographs() {
  const auto path = std::filesystem::path(NOWHERE_SHARED) / "data" / "camvid-msls";
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

}  // namespace nowhere
