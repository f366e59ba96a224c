// Files that are to be stored elsewhere while something more important goes on.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace nowhere {

// Uploads on a thread of its own: neither training nor the writing of checkpoints waits for it. What fails is
// tried again with the next file, and at the end.
class UploadQueue {
 public:
  // Throws when it fails.
  using Upload = std::function<void(const std::filesystem::path& file)>;
  // `warn` is called on the thread of the queue.
  UploadQueue(Upload upload, std::function<void(const std::string&)> warn);
  ~UploadQueue();  // after the upload in progress
  UploadQueue(const UploadQueue&) = delete;
  UploadQueue& operator=(const UploadQueue&) = delete;

  // Any thread; does not wait.
  void add(std::filesystem::path file);
  bool has_had(const std::filesystem::path& file) const;  // whether it was added at some time

  // Waits for the rest, and for what failed before. Gives what could not be uploaded, the oldest first.
  // To be called once, when nothing is added any more.
  std::vector<std::filesystem::path> finish();

 private:
  void run();
  void upload_all(std::vector<std::filesystem::path>& files);

  Upload upload_;
  std::function<void(const std::string&)> warn_;
  mutable std::mutex mutex_;  // guards what follows, but for the thread
  std::condition_variable changed_;
  std::vector<std::filesystem::path> added_;
  std::set<std::filesystem::path> had_;
  bool closed_ = false, abandoned_ = false;
  std::vector<std::filesystem::path> failed_;  // the thread's, until it ended
  std::jthread thread_;                        // last: it uses the rest
};

}  // namespace nowhere
