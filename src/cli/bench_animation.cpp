#include "cli/bench_animation.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "image/decode.h"
#include "image/encode.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

std::vector<Image> read_frames(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Image> frames;
  for (const fs::path& file : files) frames.push_back(read_image(file));
  if (frames.empty())
    throw data_error(fmt::format("{} holds no pictures; give a folder of frames", printable(folder)));
  return frames;
}

template <class Encode>
double median_milliseconds(const Encode& encode) {
  constexpr int kRounds = 9;
  std::vector<double> rounds;
  encode();
  for (int i = 0; i < kRounds; ++i) {
    const Stopwatch watch;
    encode();
    rounds.push_back(watch.seconds() * 1000);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

boost::json::object bench_animation(const fs::path& folder, const fs::path& output) {
  constexpr int kFrameMs = 120;
  const std::vector<Image> frames = read_frames(folder);
  std::vector<uint8_t> gif, webp;
  const double gif_ms = median_milliseconds([&] { gif = encode_gif(frames, kFrameMs); });
  const double webp_ms = median_milliseconds([&] { webp = encode_webp_animation(frames, kFrameMs); });
  if (!output.empty()) {
    make_directories(output);
    write_file(output / "animation.gif", gif);
    write_file(output / "animation.webp", webp);
  }
  return {{"frames", frames.size()},
          {"gif_ms", gif_ms},
          {"gif_bytes", gif.size()},
          {"webp_ms", webp_ms},
          {"webp_bytes", webp.size()}};
}

}  // namespace nowhere
