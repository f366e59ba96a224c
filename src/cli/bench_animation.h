// The benchmarks of what comes after training: the Parzen window, animations.
#pragma once

#include <boost/json.hpp>
#include <filesystem>

namespace nowhere {

// Milliseconds that the pictures of a folder, in the order of their names, take as a GIF and as a WebP; the medians of
// several rounds. With `output`, the animations are written there.
boost::json::object bench_animation(const std::filesystem::path& folder, const std::filesystem::path& output);

}  // namespace nowhere
