#include "export/export.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "export/chain.h"
#include "export/onnx.h"
#include "export/safetensors.h"
#include "export/torchscript.h"
#include "model/checkpoint_files.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

using Writer = void (*)(const fs::path& path, const Chain& chain);

Writer writer_for(const fs::path& output) {
  const std::string ending = lower(output.extension().native());
  if (ending == ".ts") return write_torchscript;
  if (ending == ".onnx") return write_onnx;
  if (ending == ".safetensors") return write_safetensors;
  throw usage_error(
      fmt::format("{}: the ending says which form to write; give .ts (TorchScript), .onnx or .safetensors",
                  printable(output)));
}

}  // namespace

Exported export_generator(const fs::path& run_or_checkpoint, const fs::path& output,
                          std::optional<uint64_t> epoch) {
  const Writer write = writer_for(output);  // before the work
  const LoadedGenerator loaded = load_generator(run_or_checkpoint, epoch);
  std::error_code ignored;
  if (fs::equivalent(loaded.file, output, ignored))
    throw usage_error(fmt::format("{} is the checkpoint itself; give another output", printable(output)));
  if (output.has_parent_path()) make_directories(output.parent_path());
  write(output, chain_of(loaded, run_name(run_or_checkpoint)));
  return {loaded.file, loaded.epoch, loaded.config.nz, loaded.config.img_size, fs::file_size(output)};
}

}  // namespace nowhere
