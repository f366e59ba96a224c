#include "data/synth/frame.h"

#include "data/synth/finish.h"
#include "data/synth/painters.h"

namespace nowhere::synth {

Image draw_frame(const Scene& scene, int frame, Canvas& canvas) {
  const Camera camera = camera_at(scene.drive, frame);
  paint_town(scene, camera, canvas);
  paint_shadows(scene, camera, frame, canvas);
  paint_objects(scene, camera, frame, canvas);
  paint_glows(scene, camera, frame, canvas);
  paint_reflections(scene, camera, canvas);
  paint_weather(scene, frame, canvas);
  paint_panel(scene, canvas);
  Finish finish;
  finish.exposure = 1.25f * scene.light.exposure;
  finish.noise = scene.light.noise;
  finish.grain = static_cast<uint32_t>(scene.drive.random(Drive::Lots::kGrain, frame).bits());
  return develop(canvas, finish);
}

Image draw_frame(const CityStyle& city, const Drive& drive, int frame) {
  const Textures textures(city.seed);
  const Scene scene(textures, city, drive);
  Canvas canvas;
  return draw_frame(scene, frame, canvas);
}

}  // namespace nowhere::synth
