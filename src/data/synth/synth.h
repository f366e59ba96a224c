// A data set of streets that do not exist, drawn rather than photographed: free to use, of any size, and in
// the same folders and tables as Mapillary Street-Level Sequences, so that whatever reads MSLS reads it. A
// sequence is the frames of one drive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace nowhere {

struct SynthConfig {
  std::filesystem::path directory;
  int images = 1000;
  int cities = 4;
  uint64_t seed = 0;
  int threads = 1;
};

struct SynthSummary {
  int images = 0;
  int cities = 0;
  int sequences = 0;
};

// Draws the set, or the rest of it after a run that was stopped, into config.directory. `drawn(n)` is called
// from any thread when n more pictures are finished. `stop()` is polled; once it is true the work ends early,
// and the tables list what was drawn. Same seed, images and cities give the same bytes on any number of
// threads.
SynthSummary draw_dataset(const SynthConfig& config, const std::function<void(int)>& drawn,
                          const std::function<bool()>& stop);

}  // namespace nowhere
