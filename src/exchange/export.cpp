#include "exchange/export.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "exchange/exported_model.h"
#include "exchange/onnx.h"
#include "exchange/safetensors.h"
#include "exchange/small_checkpoint.h"
#include "exchange/torchscript.h"
#include "run/checkpoint_name.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

using Writer = void (*)(const fs::path& path, const ExportedModel& model);

Writer writer_for(const fs::path& output) {
  const std::string ending = lower(output.extension().native());
  if (ending == ".ts") return write_torchscript;
  if (ending == ".onnx") return write_onnx;
  if (ending == ".safetensors") return write_safetensors;
  if (ending == ".pt") return nullptr;  // needs the checkpoint itself
  throw usage_error(fmt::format(
      "{}: the ending says which form to write; give .ts (TorchScript), .onnx, .safetensors or .pt",
      printable(output)));
}

}  // namespace

void check_export_ending(const fs::path& output) {
  writer_for(output);
}

Exported export_generator(const RunReader& run, const CheckpointFile& file, const fs::path& output) {
  const Writer write = writer_for(output);  // before the work
  const LoadedGenerator loaded = load_generator(run, file);
  std::error_code ignored;
  if (fs::equivalent(loaded.facts.file, output, ignored))
    throw usage_error(fmt::format("{} is the checkpoint itself; give another output", printable(output)));
  if (write == nullptr && CheckpointName::parse(output.filename().string()))
    throw usage_error(
        fmt::format("{} is named as checkpoints of a run are, and would be taken for one; give another name",
                    printable(output)));
  if (output.has_parent_path()) make_directories(output.parent_path());
  if (write != nullptr)
    write(output, ExportedModel(loaded));
  else
    write_small_checkpoint(output, loaded, run.read_full(file).value);
  return {loaded.facts, fs::file_size(output)};
}

}  // namespace nowhere
