// Pixels to the bytes of a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "image/image.h"

namespace nowhere {

std::vector<uint8_t> encode_png(const Image& image);
std::vector<uint8_t> encode_jpeg(const Image& image, int quality = 92);
std::vector<uint8_t> encode_jpeg(ImageView image, int quality = 92);
std::vector<uint8_t> encode_webp(const Image& image, int quality = 90);

// The animations loop forever. All frames have the size of the first; a GIF has one palette for all of them.
std::vector<uint8_t> encode_gif(const std::vector<Image>& frames, int frame_ms);

// An animation whose frames are made when they are needed, so that one of them is in memory at a time.
struct FrameSequence {
  int width = 0, height = 0;
  int count = 0;
  // What it returns is valid until the next call. Some frames are asked for twice. Called by one thread at a
  // time, which may not be the caller's; what it throws reaches the caller.
  std::function<ImageView(int number)> frame;
};
std::vector<uint8_t> encode_gif(const FrameSequence& frames, int frame_ms);

std::vector<uint8_t> encode_webp_animation(const std::vector<Image>& frames, int frame_ms, int quality = 85);

// Writes a still picture in the format of the path's ending: .png, .jpg, .jpeg, .webp.
void write_image(const std::filesystem::path& path, const Image& image);

// Throws a usage error unless `path` ends in something write_image can write.
void check_image_ending(const std::filesystem::path& path);

}  // namespace nowhere
