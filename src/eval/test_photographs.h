// Folders of photographs for tests, with and without sequences, and packs of them.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/random.h"
#include "data/packer.h"
#include "data/source.h"
#include "image/encode.h"

namespace nowhere {

// Waves that no other number has.
inline Image waves(int number) {
  Image image(80, 60);
  Random random(static_cast<uint64_t>(number), Purpose::kSynth);
  for (size_t c = 0; c < 3; ++c) {
    const double across = random.uniform(0.02, 0.2), down = random.uniform(0.02, 0.2),
                 phase = random.uniform(0, 6), height = random.uniform(30, 100);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        image.row(y)[x * 3 + static_cast<int>(c)] =
            static_cast<uint8_t>(128 + height * std::sin(across * x + down * y + phase));
  }
  return image;
}

// A plain folder: photographs `first` to `first + count - 1`, named by their numbers and `suffix`.
inline void make_files(const std::filesystem::path& folder, int first, int count,
                       const std::string& suffix = "") {
  make_directories(folder);
  for (int i = first; i < first + count; ++i)
    write_file(folder / fmt::format("{}{}.jpg", i, suffix), encode_jpeg(waves(i)));
}

// A city in the MSLS layout: `drives` sequences of `frames` frames, no photograph in two cities.
inline void make_drives(const std::filesystem::path& root, const std::string& city, int drives, int frames) {
  const auto half = root / city / "database";
  make_directories(half / "images");
  std::string table = ",key,sequence_key,frame_number\n";
  for (int i = 0; i < drives * frames; ++i) {
    const std::string key = fmt::format("{}_{}", city, i);
    const auto number = static_cast<int>(std::hash<std::string>()(key) % 1'000'000'000);
    write_file(half / "images" / (key + ".jpg"), encode_jpeg(waves(number)));
    table += fmt::format("{},{},{}_drive{},{}\n", i, key, city, i / frames, i % frames);
  }
  write_file(half / "seq_info.csv", table);
}

inline std::vector<uint32_t> all_photos(const Source& source) {
  std::vector<uint32_t> all(source.photos().all.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

inline void make_pack(const std::filesystem::path& folder, const std::filesystem::path& pack, Codec codec) {
  const auto source = open_source(folder);
  pack_photos(
      *source, all_photos(*source), {.output = pack, .height = 40, .codec = codec}, [](int64_t, int64_t) {},
      [] { return false; });
}

}  // namespace nowhere
