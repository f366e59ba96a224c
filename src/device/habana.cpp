#include "device/habana.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "core/proc.h"
#include "core/text.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// habana_lazy::HbLazyTensor::StepMarkerBind(const std::string& device, bool wait), which Habana's Python
// packages call for mark_step(). It has no C name; in old releases it lacks the second parameter.
constexpr const char* kStepMarker =
    "_ZN11habana_lazy12HbLazyTensor14StepMarkerBindERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEb";
constexpr const char* kOldStepMarker =
    "_ZN11habana_lazy12HbLazyTensor14StepMarkerBindERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

struct StepMarker {
  void (*mark)(const std::string& device, bool wait) = nullptr;
  void (*old_mark)(const std::string& device) = nullptr;

  bool found() const { return mark != nullptr || old_mark != nullptr; }
};

// In whatever is loaded by now.
StepMarker find_step_marker() {
  return {reinterpret_cast<decltype(StepMarker::mark)>(::dlsym(RTLD_DEFAULT, kStepMarker)),
          reinterpret_cast<decltype(StepMarker::old_mark)>(::dlsym(RTLD_DEFAULT, kOldStepMarker))};
}

// By mode: the plugins for Habana's own build of PyTorch, and for the public one, which has no lazy mode.
std::vector<std::string> plugin_libraries(HabanaMode mode) {
  if (mode == HabanaMode::kLazy) return {"libhabana_pytorch_plugin.so"};
  return {"libhabana_pytorch2_plugin.so", "libhabana_pytorch2_plugin.upstream.so"};
}

// "a.so: cannot open shared object file: ..." is said of a.so itself, and also of a library that it needs.
bool says_absent(std::string_view message, const std::string& library) {
  return message.starts_with(library + ": cannot open shared object file: No such file");
}

}  // namespace

HabanaMode habana_mode() {
  const char* text = ::getenv("PT_HPU_LAZY_MODE");
  return text != nullptr && std::string_view(text) == "0" ? HabanaMode::kEager : HabanaMode::kLazy;
}

HabanaPlugin load_habana(HabanaMode mode) {
  return load_habana_from(plugin_libraries(mode), mode);
}

HabanaPlugin load_habana_from(std::span<const std::string> libraries, HabanaMode mode) {
  HabanaPlugin plugin;
  for (const std::string& library : libraries) {
    if (::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      const std::string message = ::dlerror();
      if (!says_absent(message, library)) plugin = {HabanaPlugin::State::kBroken, message};
      continue;
    }
    if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::HPU))
      return {HabanaPlugin::State::kBroken, library + " registers no device with LibTorch"};
    if (mode == HabanaMode::kLazy && !find_step_marker().found())
      return {HabanaPlugin::State::kBroken,
              library + " has no function that ends a step; PT_HPU_LAZY_MODE=0 does without"};
    return {HabanaPlugin::State::kLoaded, ""};
  }
  return plugin;
}

void mark_habana_step() {
  if (habana_mode() == HabanaMode::kEager) return;
  static const StepMarker marker = find_step_marker();
  if (marker.mark != nullptr)
    marker.mark("", /*wait=*/false);
  else if (marker.old_mark != nullptr)
    marker.old_mark("");
}

int count_habana(const fs::path& root) {
  constexpr std::string_view kVendor = "0x1da3";
  const auto numbered = [](const fs::path& path, std::string_view prefix) {
    const std::string name = path.filename();
    return name.size() > prefix.size() && name.starts_with(prefix) &&
           std::ranges::all_of(name.substr(prefix.size()), [](unsigned char c) { return std::isdigit(c); });
  };
  int count = 0;
  std::error_code error;
  // Other makers' accelerators have nodes there too.
  for (fs::directory_iterator it(root / "dev" / "accel", error), end; !error && it != end;
       it.increment(error)) {
    const fs::path facts = root / "sys" / "class" / "accel" / it->path().filename() / "device" / "vendor";
    if (numbered(it->path(), "accel") && read_proc_file(facts.c_str()).starts_with(kVendor)) ++count;
  }
  if (count > 0) return count;
  // Older drivers.
  for (fs::directory_iterator it(root / "dev", error), end; !error && it != end; it.increment(error))
    if (numbered(it->path(), "hl")) ++count;
  return count;
}

std::string habana_module(int local_rank, const std::string& visible) {
  if (visible.empty()) return std::to_string(local_rank);
  const std::vector<std::string> modules = split_list(visible);
  if (modules.size() == 1) return modules[0];  // a scheduler's choice for this process
  if (static_cast<size_t>(local_rank) < modules.size()) return modules[static_cast<size_t>(local_rank)];
  throw usage_error(
      fmt::format("process {} of this machine has no HPU: HABANA_VISIBLE_MODULES={} names {}; start as many "
                  "processes as there are",
                  local_rank, visible, modules.size()));
}

}  // namespace nowhere
