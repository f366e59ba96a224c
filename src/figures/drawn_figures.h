// What became of the figures of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nowhere {

struct DrawnFigures {
  std::vector<std::filesystem::path> drawn;
  std::vector<std::string> failed;  // names of files; why was told on stderr
};

}  // namespace nowhere
