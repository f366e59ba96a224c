// Intel Gaudi (HPU), through the plugin that Habana ships.
#pragma once

namespace nowhere {

// Loads the plugin, which registers its device with LibTorch; false when it is not there.
bool load_habana();

}  // namespace nowhere
