#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/generating.h"
#include "cli/open_run.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "exchange/export.h"

namespace nowhere {
namespace {

class Export : public Command {
 public:
  Export() {
    positionals_ = {{"RUN",
                     "a run directory, whose newest checkpoint is taken, a checkpoint, or s3://BUCKET/RUN",
                     &run_}};
    options_.text("output", output_, "FILE",
                  "model.ts (TorchScript), model.onnx, model.safetensors or model.pt (half precision)");
    options_.letter('o');
    epoch_.declare(options_);
  }

  std::string name() const override { return "export"; }
  std::string summary() const override {
    return "the generator as TorchScript, ONNX, safetensors or a small checkpoint";
  }
  std::string example() const override { return "nowhere export runs/first -o model.onnx"; }

  int run() override {
    if (output_.empty())
      throw usage_error(
          "say where to: nowhere export RUN -o model.ts, model.onnx, model.safetensors or model.pt");
    check_export_ending(output_);
    const RunReader run = open_run(run_);
    const Exported exported = export_generator(run, run.find(epoch_.chosen()), output_);
    fmt::print("{}: {} px pictures from {} numbers each, epoch {} of {}, {}\n", printable(output_),
               exported.model.picture_size, exported.model.latent_size, exported.model.epoch,
               exported.model.file, human_bytes(exported.bytes));
    return 0;
  }

 private:
  std::string run_, output_;
  EpochOption epoch_;
};

}  // namespace

std::unique_ptr<Command> export_command() {
  return std::make_unique<Export>();
}

}  // namespace nowhere
