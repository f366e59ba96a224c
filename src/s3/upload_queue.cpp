#include "s3/upload_queue.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "core/file.h"

namespace nowhere {

namespace fs = std::filesystem;

UploadQueue::UploadQueue(Upload upload, std::function<void(const std::string&)> warn)
    : upload_(std::move(upload)), warn_(std::move(warn)), thread_([this] { run(); }) {}

UploadQueue::~UploadQueue() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = abandoned_ = true;
  }
  changed_.notify_all();
}

void UploadQueue::add(fs::path file) {
  {
    const std::lock_guard lock(mutex_);
    had_.insert(file);
    added_.push_back(std::move(file));
  }
  changed_.notify_all();
}

bool UploadQueue::has_had(const fs::path& file) const {
  const std::lock_guard lock(mutex_);
  return had_.contains(file);
}

std::vector<fs::path> UploadQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  thread_.join();
  return failed_;
}

void UploadQueue::run() {
  for (bool last = false; !last;) {
    std::vector<fs::path> files;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closed_ || !added_.empty(); });
      if (abandoned_) return;
      files = std::exchange(failed_, {});
      std::ranges::move(added_, std::back_inserter(files));
      added_.clear();
      last = closed_;
    }
    upload_all(files);
  }
}

// The newest first: it is the one that somebody waits for.
void UploadQueue::upload_all(std::vector<fs::path>& files) {
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    try {
      upload_(*file);
    } catch (const std::exception& error) {
      failed_.insert(failed_.begin(), *file);
      warn_(fmt::format("{} was not uploaded: {}", printable(file->filename()), error.what()));
    }
  }
}

}  // namespace nowhere
