#include "device/habana.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "core/error.h"
#include "core/test_folder.h"
#include "device/device.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

HabanaPlugin load_stub(const std::string& library, HabanaMode mode = HabanaMode::kLazy) {
  return load_habana_from(std::vector{library}, mode);
}

// A plugin cannot be unloaded, so whatever loads one runs in a copy of the process.
void expect_in_a_copy(const std::function<bool()>& holds) {
  EXPECT_EXIT(::_exit(holds() ? 0 : 1), testing::ExitedWithCode(0), "");
}

int counted_marks() {
  return reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "habana_stub_marks"))();
}

TEST(HabanaPlugin, Absent) {
  const HabanaPlugin plugin = load_stub("libnowhere-none.so");
  EXPECT_EQ(plugin.state, HabanaPlugin::State::kAbsent);
  EXPECT_EQ(plugin.reason, "");
}

TEST(HabanaPlugin, IsLoadedAndMarksSteps) {
  expect_in_a_copy([] {
    ::unsetenv("PT_HPU_LAZY_MODE");
    if (load_stub(NOWHERE_HABANA_STUB).state != HabanaPlugin::State::kLoaded) return false;
    for (int step = 0; step < 2; ++step) mark_step(torch::Device(torch::kHPU, 0));
    mark_step(torch::kCPU);
    return counted_marks() == 2;
  });
}

TEST(HabanaPlugin, MarksNothingInEagerMode) {
  expect_in_a_copy([] {
    ::setenv("PT_HPU_LAZY_MODE", "0", 1);
    if (load_stub(NOWHERE_HABANA_STUB, habana_mode()).state != HabanaPlugin::State::kLoaded) return false;
    mark_step(torch::Device(torch::kHPU, 0));
    return counted_marks() == 0;
  });
}

TEST(HabanaPlugin, AFileThatIsNoLibraryIsBroken) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libhabana_pytorch_plugin.so";
  std::ofstream(file) << "not a library\n";
  const HabanaPlugin plugin = load_stub(file);
  EXPECT_EQ(plugin.state, HabanaPlugin::State::kBroken);
  EXPECT_NE(plugin.reason.find(file.string()), std::string::npos) << plugin.reason;
}

TEST(HabanaPlugin, ALibraryWithoutADeviceIsBroken) {
  expect_in_a_copy([] {
    const HabanaPlugin plugin = load_stub(NOWHERE_HABANA_NO_DEVICE);
    return plugin.state == HabanaPlugin::State::kBroken && plugin.reason.ends_with("no device with LibTorch");
  });
}

TEST(HabanaPlugin, ALibraryWithoutAStepMarkServesEagerModeAlone) {
  expect_in_a_copy([] { return load_stub(NOWHERE_HABANA_NO_MARKER).state == HabanaPlugin::State::kBroken; });
  expect_in_a_copy([] {
    return load_stub(NOWHERE_HABANA_NO_MARKER, HabanaMode::kEager).state == HabanaPlugin::State::kLoaded;
  });
}

TEST(HabanaPlugin, TheNextLibraryIsTriedAfterABrokenOne) {
  const TestFolder folder;
  const std::string broken = folder.path() / "broken.so";
  std::ofstream(broken) << "not a library\n";
  const std::vector<std::string> libraries = {"libnowhere-none.so", broken, NOWHERE_HABANA_STUB};
  expect_in_a_copy(
      [&] { return load_habana_from(libraries, HabanaMode::kLazy).state == HabanaPlugin::State::kLoaded; });
}

TEST(HabanaPlugin, TheModeIsThatOfTheEnvironment) {
  expect_in_a_copy([] { return ::unsetenv("PT_HPU_LAZY_MODE"), habana_mode() == HabanaMode::kLazy; });
  expect_in_a_copy([] { return ::setenv("PT_HPU_LAZY_MODE", "1", 1), habana_mode() == HabanaMode::kLazy; });
  expect_in_a_copy([] { return ::setenv("PT_HPU_LAZY_MODE", "0", 1), habana_mode() == HabanaMode::kEager; });
}

TEST(HabanaDevices, AreCountedByVendor) {
  const TestFolder folder;
  const auto add = [&](const std::string& name, const std::string& vendor) {
    fs::create_directories(folder.path() / "dev" / "accel");
    std::ofstream(folder.path() / "dev" / "accel" / name) << "";
    const fs::path facts = folder.path() / "sys" / "class" / "accel" / name / "device";
    fs::create_directories(facts);
    std::ofstream(facts / "vendor") << vendor << "\n";
  };
  EXPECT_EQ(count_habana(folder.path()), 0);
  add("accel0", "0x1da3");
  add("accel1", "0x8086");  // another maker's
  add("accel2", "0x1da3");
  add("accel_controlD0", "0x1da3");
  EXPECT_EQ(count_habana(folder.path()), 2);
}

TEST(HabanaDevices, OfOlderDrivers) {
  const TestFolder folder;
  fs::create_directories(folder.path() / "dev");
  for (const char* name : {"hl0", "hl1", "hl_controlD0", "hlx"})
    std::ofstream(folder.path() / "dev" / name) << "";
  EXPECT_EQ(count_habana(folder.path()), 2);
}

TEST(HabanaDevices, EachProcessTakesItsOwnModule) {
  EXPECT_EQ(habana_module(3, ""), "3");
  EXPECT_EQ(habana_module(0, "4,6"), "4");
  EXPECT_EQ(habana_module(1, "4, 6"), "6");
  EXPECT_EQ(habana_module(3, "5"), "5");
  EXPECT_THROW(habana_module(2, "4,6"), Error);
}

}  // namespace
}  // namespace nowhere
