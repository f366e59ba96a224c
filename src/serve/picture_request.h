// What a client asks for: points in latent space, and how their pictures become one file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "latent/latent_point.h"

namespace nowhere {

constexpr int kGridPadding = 4;  // pixels
constexpr int kMorphFrameMs = 120;
constexpr uint64_t kMorphFrames = 16;  // from one seed to the next

enum class PictureFormat { kPng, kWebp, kJpeg, kGif };

// By a file's ending: "png", "webp", "jpg", "gif".
std::optional<PictureFormat> format_of(std::string_view ending);
std::string_view ending_of(PictureFormat format);
std::string_view mime_of(PictureFormat format);

struct PictureRequest {
  enum class Layout { kStill, kGrid, kMorph };

  Layout layout = Layout::kStill;
  PictureFormat format = PictureFormat::kPng;
  int columns = 1;   // of a grid
  int frame_ms = 0;  // of a morph
  std::vector<LatentPoint> points;
  std::string canonical;  // the same for the same picture, however it was requested; without the model
};

PictureRequest still_request(LatentPoint point, PictureFormat format);
// 0 columns: as square as possible.
PictureRequest grid_request(const std::vector<uint64_t>& seeds, int columns, double truncation,
                            PictureFormat format);
// A closed loop through the seeds, `frames` from each to the next.
PictureRequest morph_request(const std::vector<uint64_t>& seeds, uint64_t frames, int frame_ms,
                             double truncation, PictureFormat format);

// The number of pictures of this size that one file may hold.
size_t max_pictures(int size);
// Whether the format can hold pictures of this size in this layout.
bool has_room(const PictureRequest& request, int size);
// The file, from one picture per point. Takes milliseconds for a still and up to seconds for a morph.
std::vector<uint8_t> encode(const PictureRequest& request, const std::vector<Image>& pictures);

// Changes when the same pixels may be encoded as other bytes.
std::string encoder_version();

}  // namespace nowhere
