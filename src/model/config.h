// What the networks look like: the reference's parameters under the reference's names, and ours beside them.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "core/options.h"

namespace nowhere {

struct ModelConfig {
  std::string architecture = "dcgan";  // a row of the table in model/architectures
  int nc = 3;                          // channels of a picture: 3, or 1 for grey
  int nz = 128;                        // numbers of a latent vector
  int ngf = 128;                       // channels of the generator's last hidden layer
  int ndf = 32;                        // channels of the discriminator's first layer
  int img_size = 128;                  // pixels of a side, a power of two from 32 to 512
  bool d_batch_norm = true;            // batch norm in the discriminator
  // The discriminator sees the spread over groups of so many pictures, so it notices when all look alike; 0:
  // it does not.
  int d_group = 0;
  bool d_pixels = true;  // a discriminator that sees the pixels at full size
  int d_thumbnail = 0;   // pixels of a side of the thumbnails that a small one sees; 0: there is none
  int d_heads = 64;      // channels of the heads on a frozen network's maps
  bool g_low_pass =
      false;  // the generator's last maps are smoothed before tanh: no patterns of single pixels

  void declare(Options& options);
  // Throws a usage error for what the ranges of the options cannot say.
  void check() const;

  // From the settings of a run; keys of other things are passed over. Throws a usage error; `where` says
  // whose they are.
  static ModelConfig from_json(const boost::json::object& settings, const std::string& where);

  bool operator==(const ModelConfig&) const = default;
};

// The settings of a run of any version under today's names: "recipe" once stood for the loss, batch norm in D
// and whether D sees reals and fakes in one pass.
boost::json::object upgraded_settings(boost::json::object settings);

}  // namespace nowhere
