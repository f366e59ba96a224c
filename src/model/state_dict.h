// State dicts of networks: between the plain values of a .pt file and LibTorch's modules.
#pragma once

#include <string>

#include "archive/value.h"
#include "model/architectures/architecture.h"
#include "model/networks.h"

namespace nowhere {

// Of the files that this program writes; a newer one is refused.
inline constexpr int64_t kCheckpointFormat = 1;

// Parameters and buffers by name, as Python's state_dict gives them.
Dict state_dict(const NetworkImpl& network);

// The shapes of the tensors in a state dict; empty when it is none.
TensorShapes shapes_of(const Value* state);

// Throws a data error naming the tensor that is missing, unknown, of another shape, or larger than what the
// file holds of it; `where` says which file. Takes no memory. A prefix "module." (of distributed runs) is
// passed over.
void check_state_dict(const std::vector<TensorDescription>& expected, const Value& state,
                      const std::string& where);

// Checks, then copies, whatever the float type of the file's tensors. The network is unchanged when it does
// not fit.
void load_state_dict(NetworkImpl& network, const Value& state, const std::string& where);

// Copies the parameters and buffers whose names and shapes agree, and gives how many; counters do not count.
size_t load_what_fits(NetworkImpl& network, const Value& state);

}  // namespace nowhere
