// The painters of one column of the picture, and of the things that stand in the street.
#pragma once

#include "data/synth/scene.h"

namespace nowhere::synth {

// Sky, clouds and the far skyline: rows [0, end).
class SkyPainter {
 public:
  SkyPainter(const Scene& scene, const Camera& camera);
  void paint(int x, int end, Pixel* column) const;

 private:
  Rgb air(float elevation) const;
  void paint_skyline(int x, int end, Pixel* column) const;

  const Scene& scene_;
  const Camera& camera_;
  std::vector<Rgb> rows_;  // the clear sky by row
};

// Road, pavements, lawns: rows [begin, kHeight).
class GroundPainter {
 public:
  GroundPainter(const Scene& scene, const Camera& camera);
  void paint(int x, int begin, Pixel* column) const;

 private:
  struct Row {
    float z = 0;
    float fog = 0;
    float across = 0;  // the pixel's footprint: metres to the side
    float along = 0;   // metres in depth
    float grain = 0;   // how much of the fine texture is left at this distance
  };
  struct Spot {  // a place on the ground and its footprint
    float l = 0;
    float s = 0;
    Footprint wide;
    Footprint deep;
    float grain = 0;
    float patch = 0;  // broad stains, in [0, 1]
    const StreetCell* cell = nullptr;
  };
  Rgb albedo(const Spot& spot) const;
  Rgb light_on(const Spot& spot, float slope, float z) const;
  Rgb road(const Spot& spot, float grain) const;
  Rgb beside(const Spot& spot, float grain) const;
  float markings(const Spot& spot) const;

  const Scene& scene_;
  const Camera& camera_;
  std::vector<Row> rows_;
  Rgb marking_;
};

// One column of one wall.
struct WallColumn {
  const Lot* lot = nullptr;
  bool front = true;
  float normal_l = 0;  // outward
  float normal_s = 0;
  float l = 0;  // the place in street coordinates
  float s = 0;
  float z = 0;
  float u = 0;       // metres along the wall
  float du = 0;      // metres of wall per pixel
  float length = 0;  // of the wall
};

// Rows [begin, end) of a wall, and of the roof above it.
void paint_wall(const Scene& scene, const Camera& camera, const WallColumn& wall, int begin, int end,
                Pixel* column);
void paint_roof(const Scene& scene, const Camera& camera, const WallColumn& wall, int begin, int end,
                Pixel* column);

// Sky, houses and ground: the whole picture but for what stands in the street.
void paint_town(const Scene& scene, const Camera& camera, Canvas& canvas);

void paint_shadows(const Scene& scene, const Camera& camera, int frame, Canvas& canvas);
void paint_objects(const Scene& scene, const Camera& camera, int frame, Canvas& canvas);
void paint_car(const Scene& scene, const Camera& camera, const Car& car, float s, Canvas& canvas);
void paint_prop(const Scene& scene, const Camera& camera, const Prop& prop, float s, int frame,
                Canvas& canvas);
void paint_glows(const Scene& scene, const Camera& camera, int frame, Canvas& canvas);
void paint_reflections(const Scene& scene, const Camera& camera, Canvas& canvas);
void paint_weather(const Scene& scene, int frame, Canvas& canvas);
void paint_panel(const Scene& scene, Canvas& canvas);

}  // namespace nowhere::synth
