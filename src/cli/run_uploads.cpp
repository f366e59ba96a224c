#include "cli/run_uploads.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/console.h"
#include "core/environment.h"
#include "core/file.h"
#include "core/signals.h"
#include "core/text.h"
#include "run/checkpoint_name.h"
#include "s3/failure.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

void warn(const std::string& what) {
  print_message(fmt::format("nowhere: {}\n", what));
}

S3Url place_of(const UploadTarget& target) {
  const auto bucket = parse_s3_url(is_s3_url(target.bucket) ? target.bucket : "s3://" + target.bucket);
  if (!bucket)
    throw usage_error(fmt::format("--s3-bucket {}: that is no bucket; give its name, or s3://BUCKET/PREFIX",
                                  printable_text(target.bucket)));
  return bucket->below(target.name);
}

void upload(S3Store& store, const fs::path& file) {
  const auto mapped = MappedFile::open(file);
  if (!mapped) throw Error(mapped.error().reason);
  const std::string name = file.filename().string();
  store.write(name, mapped->bytes());
  fmt::print("uploaded {} ({})\n", store.location(name), human_bytes(mapped->bytes().size()));
  std::fflush(stdout);
}

// Of whole epochs; nothing before the first.
std::optional<fs::path> newest_slim(const RunDirectory& run) {
  std::optional<CheckpointName> newest;
  std::error_code error;
  for (fs::directory_iterator it(run.path(), error), end; !error && it != end; it.increment(error))
    if (const auto name = CheckpointName::parse(it->path().filename().string());
        name && name->slim && (!newest || *newest < *name))
      newest = name;
  return newest ? std::optional(run.file(*newest)) : std::nullopt;
}

}  // namespace

void UploadTarget::check() const {
  const S3Store store(place_of(*this), process_environment(), stop_requested);
  // No run saves this one, but who may write it may write the others.
  const auto writable = store.check_writing(CheckpointName{.epoch = 0, .slim = true}.file_name());
  if (writable) return;
  switch (writable.error().fault) {
    case S3Fault::kUnreachable:
    case S3Fault::kUnwell:
      return warn(fmt::format("{}; training begins, and uploading is tried later", writable.error().reason));
    case S3Fault::kStopped:
      throw Stopped();
    default:
      throw usage_error(writable.error().reason);
  }
}

// Not stopped by a signal: what is saved then is to arrive too. A second signal ends the process.
RunUploads::RunUploads(const UploadTarget& target)
    : every_save_(target.every_save),
      store_(place_of(target), process_environment(), {}),
      queue_([this](const fs::path& file) { upload(store_, file); }, warn) {}

void RunUploads::saved(const fs::path& slim) {
  saved_something_ = true;
  if (every_save_) queue_.add(slim);
}

int RunUploads::finish(const RunDirectory& run, int exit_code) {
  const auto newest = newest_slim(run);
  if (newest && !queue_.has_had(*newest)) queue_.add(*newest);
  const std::vector<fs::path> missing = queue_.finish();
  if (missing.empty()) return exit_code;
  std::vector<std::string> names;
  for (const fs::path& file : missing) names.push_back(printable(file.filename()));
  warn(fmt::format(
      "missing in {}: {}; everything is saved in {}, copy them from there, or begin again with --resume",
      store_.location(), join(names, ", "), printable(run.path())));
  const bool newest_missing = newest && std::ranges::find(missing, *newest) != missing.end();
  return newest_missing && exit_code == 0 ? static_cast<int>(Exit::kFailed) : exit_code;
}

void RunUploads::finish_after_failure(const RunDirectory& run) {
  if (saved_something_) finish(run, static_cast<int>(Exit::kFailed));
}

}  // namespace nowhere
