#include "model/architectures/architecture.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace nowhere {

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> table = {dcgan_architecture(), residual_architecture()};
  return table;
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const Architecture& row : architectures()) names.push_back(row.name);
  return names;
}

const Architecture& architecture(const std::string& name) {
  const auto found = std::ranges::find(architectures(), name, &Architecture::name);
  if (found == architectures().end())
    throw usage_error(fmt::format("there is no architecture '{}'; give one of {}", printable_text(name),
                                  join(architecture_names(), ", ")));
  return *found;
}

NetworkDescription describe_generator(const ModelConfig& config) {
  config.check();
  return architecture(config.architecture).generator(config);
}

}  // namespace nowhere
