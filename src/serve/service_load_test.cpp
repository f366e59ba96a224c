// The whole service under many requests at once, with a slow model, and at shutdown.
#include <fstream>
#include <thread>
#include <vector>

#include <boost/json.hpp>

#include "core/test_folder.h"
#include "serve/service_fixture.h"

namespace nowhere {
namespace {

class ServiceLoad : public ServiceTest {
 protected:
  // A client that waits for its response; the model is at the gate when this returns.
  std::unique_ptr<TestClient> ask_and_wait(std::string_view target) {
    provider_.gate.close();
    auto client = std::make_unique<TestClient>(service_->port());
    client->send(asking(target));
    provider_.gate.wait_for_arrivals(1);
    return client;
  }
  double metric(const std::string& name) {
    const std::string text = get("/metrics");
    const size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? 0 : std::stod(text.substr(at + name.size() + 2));
  }
  void wait_for_queue(double pictures) {
    while (metric("nowhere_queue_pictures") != pictures) std::this_thread::yield();
  }
};

TEST_F(ServiceLoad, TheSamePictureIsMadeOnce) {
  start();
  const auto first = ask_and_wait("/v1/images/5.png");
  std::vector<std::unique_ptr<TestClient>> others;
  for (int i = 0; i < 8; ++i) {
    others.push_back(std::make_unique<TestClient>(service_->port()));
    others.back()->send(asking("/v1/images/5.png"));
  }
  // Each one misses the cache before it joins: nine misses mean that all of them wait.
  while (metric("nowhere_cache_misses_total") < 9) std::this_thread::yield();
  provider_.gate.open();
  const std::string picture = body(first->response());
  for (const auto& other : others) EXPECT_EQ(body(other->response()), picture);
  EXPECT_EQ(provider_.model()->batches(), std::vector<size_t>{1});
  EXPECT_EQ(body(get("/v1/images/5.png")), picture);  // from the cache
  EXPECT_EQ(provider_.model()->batches(), std::vector<size_t>{1});
  EXPECT_EQ(metric("nowhere_cache_hits_total"), 1);
}

TEST_F(ServiceLoad, AFailureReachesAllAndIsNotCached) {
  start();
  provider_.model()->fails = true;
  const auto first = ask_and_wait("/v1/images/5.png");
  TestClient second(service_->port());
  second.send(asking("/v1/images/5.png"));
  while (metric("nowhere_cache_misses_total") < 2) std::this_thread::yield();
  provider_.gate.open();
  EXPECT_EQ(status_of(first->response()), 500);
  EXPECT_EQ(status_of(second.response()), 500);
  provider_.model()->fails = false;
  EXPECT_EQ(status("/v1/images/5.png"), 200);
}

TEST_F(ServiceLoad, AFullQueueRefusesPicturesButAnswersOtherRoutes) {
  ServeConfig small = config();
  small.queue = 4;
  small.max_batch = 4;
  small.batch_delay_ms = 0;
  start(small);
  const auto busy = ask_and_wait("/v1/images/0.png");
  TestClient waiting(service_->port());
  waiting.send(asking("/v1/grid.png?seeds=1-3"));
  wait_for_queue(4);
  const std::string refused = get("/v1/images/9.png");
  EXPECT_EQ(status_of(refused), 503);
  EXPECT_EQ(header(refused, "Retry-After"), "1");
  EXPECT_EQ(status("/livez"), 200);
  EXPECT_EQ(status("/readyz"), 200);
  EXPECT_EQ(status("/v1/model"), 200);
  EXPECT_EQ(status("/v1/run"), 200);
  EXPECT_EQ(metric("nowhere_queue_refusals_total"), 1);
  provider_.gate.open();
  EXPECT_EQ(status_of(busy->response()), 200);
  EXPECT_EQ(status_of(waiting.response()), 200);
  wait_for_queue(0);
  EXPECT_EQ(status("/v1/images/9.png"), 200);
}

TEST_F(ServiceLoad, ARequestPastItsDeadlineIsAnswered503) {
  ServeConfig impatient = config();
  impatient.request_deadline = 0.05;
  start(impatient);
  const auto slow = ask_and_wait("/v1/images/5.png");
  const std::string response = slow->response();
  EXPECT_EQ(status_of(response), 503);
  EXPECT_EQ(header(response, "Retry-After"), "1");
  EXPECT_EQ(status_of(slow->get("/livez")), 200);
  EXPECT_EQ(metric("nowhere_http_requests_total{code=\"503\",route=\"image\"}"),
            1);  // also without its handler
}

TEST_F(ServiceLoad, StoppingLetsRequestsFinish) {
  ServeConfig patient = config();
  patient.drain_deadline = 300;
  start(patient);
  const auto client = ask_and_wait("/v1/images/5.png");
  std::jthread stopping([&] { service_->stop(); });
  provider_.gate.open();
  EXPECT_EQ(status_of(client->rest()), 200);
}

TEST_F(ServiceLoad, StoppingClosesUnfinishedRequestsAtTheDeadline) {
  ServeConfig hasty = config();
  hasty.drain_deadline = 0;
  start(hasty);
  const auto client = ask_and_wait("/v1/images/5.png");
  std::jthread stopping([&] { service_->stop(); });
  EXPECT_EQ(client->rest(), "");
  provider_.gate.open();
}

TEST_F(ServiceLoad, ManyClientsOfManyKinds) {
  start();
  std::vector<std::jthread> clients;
  for (int thread = 0; thread < 6; ++thread)
    clients.emplace_back([&, thread] {
      TestClient client(service_->port());
      for (int i = 0; i < 20; ++i) {
        const std::string number = std::to_string(i % 7);
        for (const std::string& target :
             {"/v1/images/" + number + ".png", "/v1/grid.png?seeds=1-" + std::to_string(2 + i % 9),
              "/v1/images/" + number + ".jpg?epoch=" + std::to_string(2 + thread % 2), std::string("/livez"),
              "/v1/morph.webp?frames=2&seeds=1,2," + number})
          EXPECT_EQ(status_of(client.get(target)), 200) << target;
      }
    });
  clients.clear();
  wait_for_queue(0);
}

TEST_F(ServiceLoad, RequestsAreCountedAndLogged) {
  const TestFolder folder;
  ServeConfig logging = config();
  logging.access_log = folder.path() / "access.jsonl";
  start(logging);
  get("/v1/images/5.png?epoch=2");
  get("/v1/images/x.png");
  get("/nothing");
  const std::string metrics = get("/metrics");
  EXPECT_EQ(header(metrics, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  for (const char* line :
       {"nowhere_http_requests_total{code=\"200\",route=\"image\"} 1",
        "nowhere_http_requests_total{code=\"400\",route=\"image\"} 1",
        "nowhere_http_requests_total{code=\"404\",route=\"none\"} 1",
        "nowhere_http_request_seconds_count{route=\"image\"} 2", "nowhere_batch_pictures_sum 1",
        "nowhere_generation_seconds_count 1", "nowhere_encoding_seconds_count{format=\"png\"} 1",
        "nowhere_ready 1", "nowhere_connections ", "nowhere_memory_bytes ", "nowhere_cache_bytes "})
    EXPECT_NE(metrics.find(line), std::string::npos) << line << "\n" << metrics;
  service_->stop();
  std::ifstream file(logging.access_log);
  std::vector<std::string> seen;
  for (std::string line; std::getline(file, line);) {
    const auto entry = boost::json::parse(line).as_object();
    seen.push_back(std::string(entry.at("route").as_string()) + " " +
                   std::to_string(entry.at("status").as_int64()));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"image 200", "image 400", "none 404", "metrics 200"}));
}

}  // namespace
}  // namespace nowhere
