// A run on a disk that takes its time to be listed: pictures do not wait for that.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/text.h"
#include "serve/memory_store.h"
#include "serve/run_model_provider.h"
#include "serve/service_fixture.h"

namespace nowhere {
namespace {

using namespace std::chrono_literals;

class ServiceListing : public ServiceTest {
 protected:
  static constexpr int kEpochs = 1000;

  ServiceListing() {
    for (int epoch = 1; epoch <= kEpochs; ++epoch) save(epoch);
    models_ = std::make_unique<RunModelProvider>(
        RunReader(store_, "run"),
        [](const RunReader&, const CheckpointFile& file) { return std::make_shared<FakeModel>(file.epoch); },
        RunModelConfig{.now = [this] { return now_.load(); }});
    models_->open();
    service_ = std::make_unique<Service>(config(), *models_);
  }
  ~ServiceListing() override {
    store_->gate.open();
    service_.reset();  // before its models
  }

  void save(int epoch) { store_->write("slim_checkpoint_" + std::to_string(epoch) + ".pt", {}); }

  const std::shared_ptr<MemoryStore> store_ = std::make_shared<MemoryStore>();
  std::atomic<std::chrono::steady_clock::time_point> now_{std::chrono::steady_clock::time_point(1h)};
  std::unique_ptr<RunModelProvider> models_;
};

TEST_F(ServiceListing, PicturesAreServedMeanwhile) {
  save(kEpochs + 1);
  now_ = now_.load() + 1s;  // the list is out of date
  store_->gate.close();
  TestClient lists(service_->port());
  lists.send(asking("/v1/checkpoints"));
  store_->gate.wait_for_arrivals(store_->lists + 1);

  for (int round = 0; round < 2; ++round)  // new ones, then from the cache
    for (const char* target : {"/v1/images/1.png", "/v1/images/1.png?epoch=500", "/v1/images/2.webp?epoch=7",
                               "/v1/grid.png?seeds=1-9", "/v1/morph.gif?seeds=1,2&frames=2", "/gan_imgs"})
      EXPECT_EQ(status(target), 200) << target;
  for (const char* target : {"/livez", "/v1/model", "/v1/run", "/metrics"}) EXPECT_EQ(status(target), 200);
  // Those who ask for the list as well get the last one.
  for (int client = 0; client < 3; ++client)
    EXPECT_TRUE(body(get("/v1/checkpoints")).ends_with(",1000],\"current\":1000}"));

  store_->gate.open();
  EXPECT_TRUE(body(lists.response()).ends_with(",1000,1001],\"current\":1000}"));
}

}  // namespace
}  // namespace nowhere
