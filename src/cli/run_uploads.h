// The slim checkpoints of a run that is being trained, on their way to a bucket.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "run/run_directory.h"
#include "s3/s3_store.h"
#include "s3/upload_queue.h"

namespace nowhere {

struct UploadTarget {
  std::string bucket;  // "my-bucket", or s3://my-bucket/prefix
  std::string name;    // of the run
  bool every_save = false;

  // Before hours of training: throws a usage error for a bucket that is not there or may not be written. A
  // server that cannot be reached is only a warning: it may be there when it is needed.
  void check() const;
};

class RunUploads {
 public:
  explicit RunUploads(const UploadTarget& target);

  // A slim checkpoint is on the disk. Any thread; does not wait.
  void saved(const std::filesystem::path& slim);

  // After training: the newest slim checkpoint of the run, and what is left of the others. Gives the exit
  // code, which is that of the training unless the newest one is missing in the bucket.
  int finish(const RunDirectory& run, int exit_code);

  // After a training that failed: the same, when it has saved something. What an older run left is not its.
  void finish_after_failure(const RunDirectory& run);

 private:
  const bool every_save_;
  std::atomic<bool> saved_something_ = false;
  S3Store store_;
  UploadQueue queue_;  // uses the store
};

}  // namespace nowhere
