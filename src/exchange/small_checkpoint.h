// A checkpoint of this program to hand on: half precision, both networks, nothing of the machine it was
// trained on.
#pragma once

#include <filesystem>

#include "archive/value.h"
#include "model/generator_file.h"

namespace nowhere {

// `loaded` is the generator of `checkpoint`, as pictures are made of it; the discriminator is taken from the
// checkpoint where it has one, for --init.
void write_small_checkpoint(const std::filesystem::path& path, const LoadedGenerator& loaded,
                            const Value& checkpoint);

}  // namespace nowhere
