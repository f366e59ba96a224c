#include <fmt/core.h>

#include "cli/commands.h"
#include "core/cpu.h"
#include "core/file.h"
#include "core/text.h"
#include "device/matrix_units.h"
#include "device/report.h"
#include "image/vips.h"
#include "kernels/instructions.h"
#include "model/feature_file.h"
#include "plot/plot.h"

namespace nowhere {
namespace {

// One line of the report; what is missing says how to get it.
struct Finding {
  std::string what;
  std::string value;
  bool good = true;
  std::string remedy;
};

std::vector<Finding> findings() {
  const MatrixUnits units = probe_matrix_units();  // first: it wants a process without other threads
  const DeviceReport device = report_devices();
  std::vector<Finding> lines;
  lines.push_back({"nowhere", NOWHERE_VERSION, true, ""});
  lines.push_back(
      {"LibTorch", device.libtorch, device.libtorch.starts_with("2.13.0"),
       "2.13.0 is the supported version: scripts/demo installs it, or set LIBTORCH and build again"});
  lines.push_back({"oneDNN", device.onednn.empty() ? "missing" : device.onednn, !device.onednn.empty(),
                   "this LibTorch trains slowly on a CPU; use the wheel or the official build"});
  lines.push_back(
      {"CPU", fmt::format("{}, {} granted", device.cpu, counted(available_cores(), "core")), true, ""});
  lines.push_back({"CPU features", join(device.cpu_features, " "), !device.cpu_features.empty(),
                   "no AVX2: everything works, slowly"});
  lines.push_back({"matrix units", text_of(units), !units.announced || units.work,
                   "nothing: training is float32; another host may have AMX that works"});
  lines.push_back({"LibTorch kernels", device.cpu_capability, true, ""});
  lines.push_back({"own kernels",
                   kernel_instructions() + ": convolutions that halve or double maps, batch norm with its "
                                           "activation; --kernels torch does without",
                   true, ""});
  lines.push_back({"HPU (Habana)",
                   device.habana ? "plugin loaded, " + counted(device.habana_devices, "device")
                   : device.habana_fault.empty() ? "none"
                                                 : "the plugin cannot be used: " + device.habana_fault,
                   device.habana_fault.empty(),
                   "install a SynapseAI that is made for this LibTorch; docs/devices.md"});
  lines.push_back({"CUDA",
                   device.cuda_devices > 0  ? counted(device.cuda_devices, "device")
                   : device.built_with_cuda ? "LibTorch has it, no GPU is present"
                                            : "none, a CPU build of LibTorch",
                   true, ""});
  lines.push_back({"collectives", NOWHERE_COLLECTIVES, true, ""});
  const auto features = find_feature_file();
  std::error_code error;
  const bool found = features && std::filesystem::exists(*features, error);
  lines.push_back(
      {"feature network",
       found      ? printable(features->filename())
       : features ? printable(*features) + " does not exist"
                  : "missing",
       found,
       fmt::format("streets presets train without it, and their pictures are far less clear; "
                   "install the Python package {} beside torch, or set NOWHERE_FEATURES to its file",
                   kFeaturePackage)});
  lines.push_back({"JPEG", "libjpeg-turbo", true, ""});
  lines.push_back({"libvips", vips_version_text(), true, ""});
  for (const char* ending : {".png", ".webp", ".gif"})
    lines.push_back({fmt::format("{} encoder", ending), vips_has_saver(ending) ? "yes" : "missing",
                     vips_has_saver(ending), "libvips was built without it; Debian's libvips has it"});
  const auto gnuplot = gnuplot_version();
  lines.push_back({"gnuplot", gnuplot ? *gnuplot : gnuplot.error().reason, gnuplot.has_value(),
                   "figures are not drawn without it; install gnuplot-nox"});
  return lines;
}

class Doctor : public Command {
 public:
  Doctor() { options_.flag("json", json_, "print the findings as JSON"); }

  std::string name() const override { return "doctor"; }
  std::string summary() const override { return "versions, devices, what is missing and how to get it"; }
  std::string example() const override { return "nowhere doctor"; }

  int run() override {
    bool all_good = true;
    boost::json::array json;
    for (const Finding& line : findings()) {
      all_good = all_good && line.good;
      if (json_)
        json.push_back({{"what", line.what},
                        {"value", line.value},
                        {"good", line.good},
                        {"remedy", line.good ? "" : line.remedy}});
      else
        fmt::print("{} {:<16}  {}{}\n", line.good ? "ok" : "!!", line.what, line.value,
                   line.good ? "" : "\n" + std::string(21, ' ') + line.remedy);
    }
    if (json_) fmt::print("{}\n", boost::json::serialize(json));
    return all_good ? 0 : 1;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> doctor_command() {
  return std::make_unique<Doctor>();
}

}  // namespace nowhere
