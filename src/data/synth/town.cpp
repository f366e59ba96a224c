#include <array>

#include "data/synth/painters.h"

namespace nowhere::synth {
namespace {

constexpr float kNear = 0.4f;  // metres
constexpr float kFar = 330.0f;

// A wall in the camera's plan, left end first as the camera sees it, and the ridge of the roof behind it.
struct Wall {
  PlanPoint a;
  PlanPoint b;
  PlanPoint ridge_a;
  PlanPoint ridge_b;
  bool sloped = false;  // a roof rises behind the wall
  bool gable = false;   // the wall itself rises to the ridge
  WallColumn column;    // what all columns share
  float s_a = 0;
  float s_b = 0;
  float l_a = 0;
  float l_b = 0;
  float u_a = 0;  // metres along the wall at a and at b
  float u_b = 0;
};

struct Hit {
  float z = 0;
  float along = 0;  // share of the way from a to b
  float top = 0;    // row of the eaves
  float roof = 0;   // row of the ridge, never below the eaves
  int wall = 0;
};

struct Column {
  static constexpr int kHits = 20;
  std::array<Hit, kHits> hits;
  int count = 0;

  // Near first. When full, the farthest goes.
  void add(const Hit& hit) {
    if (count == kHits && hits.back().z <= hit.z) return;
    auto i = static_cast<size_t>(count < kHits ? count++ : kHits - 1);
    for (; i > 0 && hits[i - 1].z > hit.z; --i) hits[i] = hits[i - 1];
    hits[i] = hit;
  }
};

// Where the ray of a column meets the line from a to b: the share of the way, and the depth.
struct Meeting {
  float along = 0;
  float z = 0;
};
Meeting meet(PlanPoint a, PlanPoint b, float slope) {
  const float along = (slope * a.z - a.x) / ((b.x - a.x) - slope * (b.z - a.z));
  return {along, a.z + along * (b.z - a.z)};
}

class Town {
 public:
  Town(const Scene& scene, const Camera& camera) : scene_(scene), camera_(camera), columns_(kWidth) {
    for (const Lot& lot : scene.street.lots) add_lot(lot);
    for (size_t i = 0; i < walls_.size(); ++i) cast(static_cast<int>(i));
  }

  void paint(Canvas& canvas) const {
    const SkyPainter sky(scene_, camera_);
    const GroundPainter ground(scene_, camera_);
    for (int x = 0; x < kWidth; ++x) paint_column(x, sky, ground, canvas);
  }

 private:
  void add_lot(const Lot& lot) {
    const auto side = static_cast<float>(lot.side);
    const float front = side * lot.front;
    const float back = side * (lot.front + lot.depth);
    const float width = lot.end - lot.begin;
    const bool gable_front = lot.roof == Roof::kFrontGable || lot.roof == Roof::kStepGable;
    const bool gable_side = lot.roof == Roof::kEaves;
    const float ridge = side * (lot.front + lot.run);
    const float middle = 0.5f * (lot.begin + lot.end);
    Wall face;
    face.column.lot = &lot;
    face.column.front = true, face.column.normal_l = -side, face.column.length = width;
    face.gable = gable_front, face.sloped = lot.run > 0 && !gable_front;
    set_ends(face, front, lot.begin, front, lot.end, ridge, lot.begin, ridge, lot.end);
    face.u_b = width;
    add_wall(face);
    for (const bool near : {true, false}) {
      const float s = near ? lot.begin : lot.end;
      Wall end;
      end.column.lot = &lot;
      end.column.front = false, end.column.normal_s = near ? -1.0f : 1.0f, end.column.length = lot.depth;
      end.gable = gable_side, end.sloped = gable_front;
      set_ends(end, front, s, back, s, front, middle, back, middle);
      end.u_b = lot.depth;
      add_wall(end);
    }
  }

  void set_ends(Wall& wall, float l_a, float s_a, float l_b, float s_b, float rl_a, float rs_a, float rl_b,
                float rs_b) const {
    wall.l_a = l_a, wall.s_a = s_a, wall.l_b = l_b, wall.s_b = s_b;
    wall.a = camera_.plan(l_a, s_a), wall.b = camera_.plan(l_b, s_b);
    wall.ridge_a = camera_.plan(rl_a, rs_a), wall.ridge_b = camera_.plan(rl_b, rs_b);
  }

  // Keeps walls that face the camera and lie before it.
  void add_wall(const Wall& wall) {
    if (std::max(wall.a.z, wall.b.z) < kNear || std::min(wall.a.z, wall.b.z) > kFar) return;
    // Fronts always face the street; an end wall is seen only from its own side.
    if (!wall.column.front && (camera_.s - wall.s_a) * wall.column.normal_s <= 0) return;
    walls_.push_back(wall);
  }

  void cast(int index) {
    const Wall& wall = walls_[static_cast<size_t>(index)];
    PlanPoint a = wall.a;
    PlanPoint b = wall.b;
    const auto clip = [](PlanPoint p, PlanPoint q) {
      const float t = (kNear - p.z) / (q.z - p.z);
      return PlanPoint{p.x + t * (q.x - p.x), kNear};
    };
    if (a.z < kNear) a = clip(a, b);
    if (b.z < kNear) b = clip(b, a);
    const float xa = camera_.screen_x(a);
    const float xb = camera_.screen_x(b);
    const auto begin =
        static_cast<int>(std::clamp(std::ceil(std::min(xa, xb) - 0.5f), 0.0f, static_cast<float>(kWidth)));
    const auto end =
        static_cast<int>(std::clamp(std::ceil(std::max(xa, xb) - 0.5f), 0.0f, static_cast<float>(kWidth)));
    for (int x = begin; x < end; ++x)
      columns_[static_cast<size_t>(x)].add(hit(wall, index, camera_.slope(x)));
  }

  Hit hit(const Wall& wall, int index, float slope) const {
    const Lot& lot = *wall.column.lot;
    const Meeting at = meet(wall.a, wall.b, slope);
    Hit hit;
    hit.wall = index;
    hit.z = std::max(kNear, at.z);
    hit.along = clamp01(at.along);
    float height = lot.height;
    if (wall.gable) {
      float share = 1.0f - std::abs(2.0f * hit.along - 1.0f);
      if (lot.roof == Roof::kStepGable) share = std::min(1.0f, (std::floor(share * 5.0f) + 1.0f) / 5.0f);
      height += lot.rise * share;
    }
    hit.top = camera_.row(height, hit.z);
    hit.roof = hit.top;
    if (wall.sloped) hit.roof = std::min(hit.top, ridge_row(wall, slope));
    return hit;
  }

  // The row up to which the slope of the roof is seen: the ridge, or the slope's end on the way to it.
  float ridge_row(const Wall& wall, float slope) const {
    const Lot& lot = *wall.column.lot;
    const Meeting ridge = meet(wall.ridge_a, wall.ridge_b, slope);
    if (ridge.along >= 0 && ridge.along <= 1 && ridge.z > kNear)
      return camera_.row(lot.height + lot.rise, ridge.z);
    const Meeting end_a = meet(wall.a, wall.ridge_a, slope);
    const Meeting end_b = meet(wall.b, wall.ridge_b, slope);
    for (const Meeting& end : {end_a, end_b}) {
      if (end.along >= 0 && end.along <= 1 && end.z > kNear)
        return camera_.row(lot.height + lot.rise * end.along, end.z);
    }
    return 1e9f;
  }

  WallColumn describe(const Hit& hit, int x) const {
    const Wall& wall = walls_[static_cast<size_t>(hit.wall)];
    WallColumn column = wall.column;
    column.l = mix(wall.l_a, wall.l_b, hit.along);
    column.s = mix(wall.s_a, wall.s_b, hit.along);
    column.z = hit.z;
    column.u = mix(wall.u_a, wall.u_b, hit.along);
    const Meeting next = meet(wall.a, wall.b, camera_.slope(x + 1));
    column.du = std::min(column.length, std::abs(next.along - hit.along) * column.length) + 1e-3f;
    return column;
  }

  struct Span {
    const Hit* hit = nullptr;
    float bottom = 0;
  };

  void paint_span(int x, const Span& span, Pixel* pixels) const {
    const WallColumn wall = describe(*span.hit, x);
    const auto row = [](float y) {
      return static_cast<int>(std::clamp(y, 0.0f, static_cast<float>(kHeight)));
    };
    const int end = std::min(kHeight, row(span.bottom) + 1);
    const float tops[2] = {span.hit->roof, span.hit->top};
    for (int part = 0; part < 2; ++part) {
      if (part == 0 && span.hit->roof >= span.hit->top) continue;
      const int begin = row(tops[part]);
      if (begin >= end) continue;
      const Rgb behind = pixels[begin].colour;
      const int stop = part == 0 ? std::min(end, row(span.hit->top) + 1) : end;
      (part == 0 ? paint_roof : paint_wall)(scene_, camera_, wall, begin, stop, pixels);
      if (tops[part] > 0)
        pixels[begin].colour = mix(pixels[begin].colour, behind, tops[part] - static_cast<float>(begin));
    }
  }

  // Near to far finds what is seen, far to near paints it, so that edges blend with what is behind.
  void paint_column(int x, const SkyPainter& sky, const GroundPainter& ground, Canvas& canvas) const {
    const Column& column = columns_[static_cast<size_t>(x)];
    Pixel* pixels = canvas.column(x);
    std::array<Span, Column::kHits> spans;
    size_t seen = 0;
    float base = camera_.horizon;
    if (column.count > 0) base = camera_.row(0, column.hits[0].z);
    float covered = base;
    for (int i = 0; i < column.count && covered > 0; ++i) {
      const Hit& hit = column.hits[static_cast<size_t>(i)];
      if (hit.roof >= covered) continue;
      spans[seen++] = {&hit, covered};
      covered = hit.roof;
    }
    const int sky_end = static_cast<int>(std::clamp(covered + 1.0f, 0.0f, static_cast<float>(kHeight)));
    sky.paint(x, sky_end, pixels);
    while (seen > 0) paint_span(x, spans[--seen], pixels);
    canvas.base(x) = base;
    const int foot = static_cast<int>(std::clamp(base, 0.0f, kHeight - 1.0f));
    const Rgb above = pixels[foot].colour;
    ground.paint(x, foot, pixels);
    pixels[foot].colour = mix(pixels[foot].colour, above, clamp01(base - static_cast<float>(foot)));
  }

  const Scene& scene_;
  const Camera& camera_;
  std::vector<Wall> walls_;
  std::vector<Column> columns_;
};

}  // namespace

void paint_town(const Scene& scene, const Camera& camera, Canvas& canvas) {
  Town(scene, camera).paint(canvas);
}

}  // namespace nowhere::synth
