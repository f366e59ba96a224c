#include "figures/progress.h"

#include <algorithm>
#include <optional>

#include "core/file.h"
#include "core/text.h"
#include "image/decode.h"
#include "image/encode.h"
#include "image/resize.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxVideoFrames = 48;
constexpr int kMaxVideoSide = 1042;  // pixels: the sheet of 64 pictures of 128 px
constexpr int kVideoFrameMs = 200;

// Of epoch_00012.png.
std::optional<uint64_t> epoch_of(const fs::path& path) {
  constexpr std::string_view kBeginning = "epoch_";
  const std::string stem = path.stem().string();
  if (path.extension() != ".png" || !stem.starts_with(kBeginning)) return {};
  const auto epoch = parse_integer(std::string_view(stem).substr(kBeginning.size()));
  if (!epoch || *epoch < 0) return {};
  return static_cast<uint64_t>(*epoch);
}

Image shrunk(Image image, int width, int height) {
  if (image.width == width && image.height == height) return image;
  return Resizer().resize(image.view(), width, height);
}

}  // namespace

ProgressFrames::ProgressFrames(const fs::path& folder) {
  std::vector<File> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const auto epoch = epoch_of(entry.path())) all.push_back({*epoch, entry.path()});
  if (all.empty()) return;
  std::sort(all.begin(), all.end(), [](const File& a, const File& b) { return a.epoch < b.epoch; });
  const size_t count = std::min(kMaxVideoFrames, all.size());
  for (size_t i = 0; i < count; ++i)
    files_.push_back(all[count == 1 ? 0 : i * (all.size() - 1) / (count - 1)]);

  image_ = read_image(files_[0].path);
  const double scale =
      std::min(1.0, static_cast<double>(kMaxVideoSide) / std::max(image_.width, image_.height));
  width_ = std::max(1, static_cast<int>(image_.width * scale + 0.5));
  height_ = std::max(1, static_cast<int>(image_.height * scale + 0.5));
  image_ = shrunk(std::move(image_), width_, height_);
  shown_ = 0;
}

ImageView ProgressFrames::frame(int number) {
  if (number != shown_) {
    shown_ = -1;
    image_ = {};  // before the next one takes its memory
    image_ = shrunk(read_image(files_[static_cast<size_t>(number)].path), width_, height_);
    shown_ = number;
  }
  return image_.view();
}

void draw_progress(const fs::path& fixed_noise, const fs::path& videos, const std::string& name) {
  constexpr int kQuality = 80;
  ProgressFrames frames(fixed_noise);
  if (frames.count() == 0) return;
  // Each file is read for the video anyway, so its picture for the page is made when it passes.
  std::vector<PageFrame> pages(static_cast<size_t>(frames.count()));
  const auto frame = [&](int number) {
    const ImageView view = frames.frame(number);
    PageFrame& page = pages[static_cast<size_t>(number)];
    page.epoch = frames.epoch(number);
    if (page.jpeg.empty()) page.jpeg = encode_jpeg(view, kQuality);
    return view;
  };
  write_file(
      videos / "progress.gif",
      encode_gif(
          {.width = frames.width(), .height = frames.height(), .count = frames.count(), .frame = frame},
          kVideoFrameMs));
  write_file(videos / "progress.html",
             progress_page(name, pages, frames.width(), frames.height(), kVideoFrameMs));
}

}  // namespace nowhere
