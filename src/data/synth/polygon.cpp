#include "data/synth/polygon.h"

#include <array>

namespace nowhere::synth {
namespace {

constexpr float kNear = 0.5f;
constexpr size_t kMaxCorners = 20;

struct Extent {
  float low = 1e9f;
  float high = -1e9f;
};

// The rows that a polygon covers in the column through x.
Extent extent_at(std::span<const ScreenPoint> points, float x) {
  Extent extent;
  for (size_t i = 0; i < points.size(); ++i) {
    const ScreenPoint& p = points[i];
    const ScreenPoint& q = points[i + 1 < points.size() ? i + 1 : 0];
    if (std::min(p.x, q.x) > x || std::max(p.x, q.x) < x) continue;
    const float run = q.x - p.x;
    const float y = std::abs(run) < 1e-6f ? p.y : p.y + (q.y - p.y) * (x - p.x) / run;
    extent.low = std::min(extent.low, y);
    extent.high = std::max(extent.high, y);
    if (std::abs(run) < 1e-6f)
      extent.low = std::min(extent.low, q.y), extent.high = std::max(extent.high, q.y);
  }
  return extent;
}

void fill_column(Pixel* column, Extent rows, float cover, const Paint& paint, Extent whole, float z) {
  const int begin = std::max(0, static_cast<int>(rows.low));
  const int end = std::min(kHeight, static_cast<int>(rows.high) + 1);
  const float scale = 1.0f / std::max(1e-3f, whole.high - whole.low);
  const bool plain =
      paint.top.r == paint.bottom.r && paint.top.g == paint.bottom.g && paint.top.b == paint.bottom.b;
  for (int y = begin; y < end; ++y) {
    if (column[y].depth < z) continue;
    const auto at = static_cast<float>(y);
    const float part = std::min(at + 1.0f, rows.high) - std::max(at, rows.low);
    const Rgb colour =
        plain ? paint.top : mix(paint.top, paint.bottom, clamp01((at + 0.5f - whole.low) * scale));
    blend(column[y], colour, cover * std::min(1.0f, part), z);
  }
}

}  // namespace

void fill_polygon(Canvas& canvas, std::span<const ScreenPoint> points, const Paint& paint, float z) {
  Extent across;
  Extent whole;
  for (const ScreenPoint& p : points) {
    across.low = std::min(across.low, p.x), across.high = std::max(across.high, p.x);
    whole.low = std::min(whole.low, p.y), whole.high = std::max(whole.high, p.y);
  }
  if (across.high <= 0 || across.low >= kWidth || whole.high <= 0 || whole.low >= kHeight) return;
  const int begin = std::max(0, static_cast<int>(across.low));
  const int end = std::min(kWidth, static_cast<int>(across.high) + 1);
  for (int x = begin; x < end; ++x) {
    const float from = std::max(across.low, static_cast<float>(x));
    const float to = std::min(across.high, static_cast<float>(x) + 1.0f);
    const Extent rows = extent_at(points, 0.5f * (from + to));
    if (rows.low > rows.high) continue;
    fill_column(canvas.column(x), rows, paint.alpha * std::max(0.0f, to - from), paint, whole, z);
  }
}

void fill_face(Canvas& canvas, const Camera& camera, std::span<const Corner> corners, const Paint& paint,
               float z, bool two_sided) {
  std::array<ScreenPoint, kMaxCorners> points;
  size_t count = 0;
  const auto keep = [&](PlanPoint at, float height) {
    if (count < kMaxCorners) points[count++] = {camera.screen_x(at), camera.row(height, at.z), at.z};
  };
  for (size_t i = 0; i < corners.size(); ++i) {
    const Corner& p = corners[i];
    const Corner& q = corners[i + 1 < corners.size() ? i + 1 : 0];
    if (p.at.z >= kNear) keep(p.at, p.height);
    if ((p.at.z < kNear) != (q.at.z < kNear)) {
      const float t = (kNear - p.at.z) / (q.at.z - p.at.z);
      keep({mix(p.at.x, q.at.x, t), kNear}, mix(p.height, q.height, t));
    }
  }
  if (count < 3) return;
  float area = 0;
  for (size_t i = 0; i < count; ++i) {
    const ScreenPoint& p = points[i];
    const ScreenPoint& q = points[i + 1 < count ? i + 1 : 0];
    area += p.x * q.y - q.x * p.y;
  }
  if (!two_sided && area <= 0) return;
  fill_polygon(canvas, {points.data(), count}, paint, z);
}

Rgb standing_light(const Scene& scene, float l, float s, float height) {
  const Light& light = scene.light;
  Rgb lit = light.ambient;
  if (luma(light.sun) > 0) lit = lit + light.sun * (0.6f * scene.sunlight(l, s, height));
  if (light.lamps > 0) lit = lit + light.lamp_colour * (0.6f * scene.lamplight(l, s));
  return lit;
}

}  // namespace nowhere::synth
