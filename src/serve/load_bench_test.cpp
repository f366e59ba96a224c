#include "serve/load_bench.h"

#include "core/error.h"
#include "serve/service_fixture.h"

namespace nowhere {
namespace {

class LoadBench : public ServiceTest {};

TEST_F(LoadBench, EveryClientGetsSheetsOfFreshPictures) {
  start();
  const ServeLoad load = bench_server(service_->port(), 3, 0, [] { return false; });
  EXPECT_EQ(load.requests, 3) << "one of each client, whose time is up then";
  EXPECT_EQ(load.pictures, 3 * 16);
  EXPECT_GT(load.bytes, 0);
  EXPECT_GT(load.pictures_per_second(), 0);
  EXPECT_GE(load.slowest_percent_ms, load.median_ms);
  size_t made = 0;
  for (const size_t batch : provider_.model()->batches()) made += batch;
  EXPECT_EQ(made, 4U * 16) << "with the first sheet, which is not counted; none is from the cache";
}

TEST_F(LoadBench, ItEndsWhenItIsStopped) {
  start();
  EXPECT_EQ(bench_server(service_->port(), 1, 1e9, [] { return true; }).requests, 1);
}

TEST_F(LoadBench, AnAnswerWithoutAPictureIsAnError) {
  start();
  provider_.model()->fails = true;
  try {
    bench_server(service_->port(), 1, 0, [] { return false; });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the server answered /gan_imgs with status 500; give fewer --clients");
  }
}

TEST_F(LoadBench, AServerThatIsGoneIsAnError) {
  start();
  const uint16_t port = service_->port();
  service_->stop();
  EXPECT_THROW(bench_server(port, 1, 0, [] { return false; }), Error);
}

}  // namespace
}  // namespace nowhere
