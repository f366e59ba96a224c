// How a run's pictures of the same latent vectors changed: videos/progress.gif and progress.html.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "image/image.h"

namespace nowhere {

// The pictures of some epochs, read from figures/fixed_noise one at a time: their number and their size are
// bounded, however long the run and however large its pictures. Used by one thread at a time.
class ProgressFrames {
 public:
  // Takes all files epoch_N.png of the folder, or as many of them as a video may have: evenly chosen, the
  // first and the last among them.
  explicit ProgressFrames(const std::filesystem::path& folder);

  int count() const { return static_cast<int>(files_.size()); }
  uint64_t epoch(int number) const { return files_[static_cast<size_t>(number)].epoch; }
  // Of every frame: that of the first picture, or smaller. 0 without pictures.
  int width() const { return width_; }
  int height() const { return height_; }

  // Valid until the next call. Throws when the file cannot be read.
  ImageView frame(int number);

 private:
  struct File {
    uint64_t epoch;
    std::filesystem::path path;
  };

  std::vector<File> files_;
  int width_ = 0, height_ = 0;
  Image image_;
  int shown_ = -1;
};

// Writes both files; nothing when there are no pictures. `name` is the run's.
void draw_progress(const std::filesystem::path& fixed_noise, const std::filesystem::path& videos,
                   const std::string& name);

struct PageFrame {
  uint64_t epoch = 0;
  std::vector<uint8_t> jpeg;
};

// A page that plays the frames. It is complete in itself: it needs no server and fetches nothing.
std::string progress_page(const std::string& name, const std::vector<PageFrame>& frames, int width,
                          int height, int frame_ms);

}  // namespace nowhere
