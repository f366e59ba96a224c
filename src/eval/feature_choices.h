// Words of the command line, free of LibTorch.
#pragma once

namespace nowhere {

// What a feature network takes: bytes 0 to 255 (uint8), or floats in [0,1] or [-1,1].
enum class FeatureInput { kBytes, kUnit, kSigned };

}  // namespace nowhere
