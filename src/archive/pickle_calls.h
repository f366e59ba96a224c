// What the allowed names do when a pickle calls them. Nothing is executed: a call only records in the graph
// what the value is.
#pragma once

#include "archive/pickle_graph.h"
#include "archive/pickle_reader.h"
#include "core/error.h"

namespace nowhere {

// `function(*arguments)`: the object that stands for the result.
Result<PickleGraph::Ref> call_global(PickleGraph& graph, PickleGraph::Ref function,
                                     PickleGraph::Ref arguments);

// The storage that a persistent id names: ('storage', torch.FloatStorage, '0', 'cpu', 12).
Result<PickleGraph::Ref> load_storage(PickleGraph& graph, PickleGraph::Ref id,
                                      const FindStorage& find_storage);

}  // namespace nowhere
