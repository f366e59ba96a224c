// The benchmark of animations.
#pragma once

#include <boost/json.hpp>
#include <filesystem>

namespace nowhere {

// How many milliseconds it takes to encode the pictures of a folder, in the order of their names, as a GIF
// and as a WebP: the medians of several rounds. The animations are written to the folder `output` unless it
// is empty.
boost::json::object bench_animation(const std::filesystem::path& folder, const std::filesystem::path& output);

}  // namespace nowhere
