#include "dist/backends.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "core/error.h"

namespace nowhere {
namespace {

BackendPlace place_of(const c10::intrusive_ptr<c10d::Store>& store) {
  return {.store = store, .rank = 0, .size = 1, .timeout = std::chrono::seconds(5), .address = "127.0.0.1"};
}

std::string refusal_on(const torch::Device& device) {
  try {
    make_process_group(device, place_of(c10::make_intrusive<c10d::HashStore>()));
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    return error.what();
  }
  return "accepted";
}

TEST(Backends, GlooOnTheCpu) {
  const auto group = make_process_group(torch::kCPU, place_of(c10::make_intrusive<c10d::HashStore>()));
  EXPECT_EQ(group->getBackend(c10::DeviceType::CPU)->getBackendName(), "gloo");
}

TEST(Backends, HcclIsMadeByTheShimThatIsNamed) {
  const torch::Device hpu(torch::kHPU, 0);
  ::unsetenv("NOWHERE_HCCL");
  EXPECT_NE(refusal_on(hpu).find("NOWHERE_HCCL"), std::string::npos);
  ::setenv("NOWHERE_HCCL", "/nowhere/libhccl.so", 1);
  EXPECT_NE(refusal_on(hpu).find("/nowhere/libhccl.so"), std::string::npos) << "the reason names the file";
  ::setenv("NOWHERE_HCCL", NOWHERE_HCCL_SHIM, 1);
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const auto group = make_process_group(hpu, place_of(store));
  EXPECT_EQ(group->getBackend(c10::DeviceType::HPU)->getBackendName(), "hccl-shim");
  EXPECT_EQ(store->get_to_str("made"), "5000");
  ::unsetenv("NOWHERE_HCCL");
}

#ifndef USE_C10D_NCCL
TEST(Backends, WithoutNcclSeveralGpusAreRefused) {
  EXPECT_NE(refusal_on(torch::Device(torch::kCUDA, 0)).find("preset cuda"), std::string::npos);
}
#endif

TEST(Backends, TheAddressIsThatTowardsTheStore) {
  EXPECT_EQ(own_address("127.0.0.1", 29500, /*others=*/false), "127.0.0.1");
  // Other machines cannot reach the loopback address; without any other there is nothing better.
  const std::string reached = own_address("127.0.0.1", 29500, /*others=*/true);
  EXPECT_FALSE(reached.empty());
  ::setenv("GLOO_SOCKET_IFNAME", "lo", 1);
  EXPECT_EQ(own_address("10.255.255.1", 29500, /*others=*/true), "127.0.0.1");
  ::setenv("GLOO_SOCKET_IFNAME", "none0", 1);
  EXPECT_THROW(own_address("127.0.0.1", 29500, /*others=*/false), Error);
  ::unsetenv("GLOO_SOCKET_IFNAME");
  EXPECT_THROW(own_address("no-such-host.invalid", 29500, /*others=*/true), Error);
}

}  // namespace
}  // namespace nowhere
