// Writes event files for tests/test_events.py, which reads them with TensorBoard: write_events FOLDER. As a
// run that saw steps 1 to 5, stopped, and went on from its checkpoint at step 3.
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <vector>

#include "observe/events.h"

namespace {

nowhere::Image gradient(int width, int height) {
  nowhere::Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      uint8_t* pixel = image.row(y) + x * nowhere::kChannels;
      pixel[0] = static_cast<uint8_t>(x);
      pixel[1] = static_cast<uint8_t>(y);
      pixel[2] = 200;
    }
  return image;
}

void first_run(const char* folder) {
  nowhere::EventWriter events(folder);
  for (int step = 1; step <= 5; ++step) events.scalar("loss/d", step, step * 0.5);
  events.image("samples", 2, gradient(48, 32));
  std::vector<float> weights;
  for (int i = -100; i <= 100; ++i) weights.push_back(static_cast<float>(i) / 50);
  weights.push_back(std::numeric_limits<float>::quiet_NaN());
  events.histogram("weights", 2, weights);
}

void second_run(const char* folder) {
  nowhere::EventWriter events(folder);
  events.restart(4);  // the step that comes next
  for (int step = 4; step <= 6; ++step) events.scalar("loss/d", step, step * -0.5);
  events.scalar("loss/g", 6, std::numeric_limits<double>::quiet_NaN());
  events.scalar("zero", 6, 0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: write_events FOLDER\n"), 2;
  try {
    first_run(arguments[1]);
    second_run(arguments[1]);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "write_events: %s\n", error.what()), 1;
  }
  return 0;
}
