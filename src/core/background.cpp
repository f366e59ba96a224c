#include "core/background.h"

namespace nowhere {
namespace {
constexpr size_t kMaxJobs = 256;  // jobs are small; those with much data are followed by finish()
}

Background::Background(std::function<void(const std::string&)> on_failure)
    : on_failure_(std::move(on_failure)), thread_([this] { run(); }) {}

Background::~Background() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Background::post(std::function<void()> job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.size() < kMaxJobs; });
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

void Background::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty() && !busy_; });
}

void Background::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !jobs_.empty() || closed_; });
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    try {
      job();
    } catch (const std::exception& error) {
      on_failure_(error.what());
    }
    job = nullptr;  // frees what it holds (a whole snapshot) now, not with the next job
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace nowhere
