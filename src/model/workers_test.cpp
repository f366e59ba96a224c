#include "model/workers.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace nowhere {
namespace {

// LibTorch's threads while a test lasts.
class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

TEST(Workers, WorkIsDividedAmongThreads) {
  const Threads threads(2);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  int64_t done = 0;
  divide_among_threads(8, [&](int64_t begin, int64_t end) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
    done += end - begin;
  });
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_EQ(done, 8);
}

TEST(Workers, EveryJobIsDoneOnceByAWorkerOfItsOwn) {
  const Threads threads(2);
  const Workers workers = torch_workers();
  ASSERT_EQ(workers.count, 2);
  std::vector<std::atomic<int>> done(20);
  std::array<std::atomic<bool>, 2> busy{};
  workers.run(20, [&](int64_t job, int64_t worker) {
    EXPECT_FALSE(busy[static_cast<size_t>(worker)].exchange(true));
    ++done[static_cast<size_t>(job)];
    busy[static_cast<size_t>(worker)] = false;
  });
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(Workers, JobsOfAWorkerThatIsHeldUpAreDoneByTheOther) {
  const Threads threads(2);
  constexpr int kJobs = 8;
  std::atomic<int> done = 0;
  torch_workers().run(kJobs, [&](int64_t job, int64_t) {
    // Half of the jobs are this worker's.
    while (job == 0 && done < kJobs - 1) std::this_thread::yield();
    ++done;
  });
  EXPECT_EQ(done, kJobs);
}

}  // namespace
}  // namespace nowhere
