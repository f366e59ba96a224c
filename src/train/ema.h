// The average of the generator over its recent steps: steadier pictures than any one step's.
#pragma once

#include <torch/torch.h>

#include "model/networks.h"

namespace nowhere {

// How much of the average stays after a batch: 0.5^(batch / half life), the half life in images growing with
// the run as a share of it until it reaches `half_life_images`.
double ema_keep(int64_t batch, int64_t images_seen, double half_life_images, double share_of_run);

// average = keep * average + (1 - keep) * now, for weights and batch norm statistics.
void update_ema(const Generator& now, Generator& average, double keep);

}  // namespace nowhere
