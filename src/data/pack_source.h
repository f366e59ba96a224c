// Packed files as a source of frames.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "data/source.h"

namespace nowhere {

// One data set of all the files. `data` is what the user called them. Reads no pixels. The index of many
// photographs is kept in the user's folder for such things. Throws a data error that names the file when one
// is not a sound packed file or does not fit the others.
std::unique_ptr<Source> open_packs(const std::vector<std::filesystem::path>& files,
                                   const std::filesystem::path& data, const std::function<bool()>& stop);

}  // namespace nowhere
