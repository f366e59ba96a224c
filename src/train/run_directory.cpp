#include "train/run_directory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <regex>

#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// Whoever holds the lock, as it wrote itself down: "process 123 on host".
std::string holder(int lock) {
  char text[256] = {};
  const ssize_t got = ::pread(lock, text, sizeof text - 1, 0);
  std::string name(text, got > 0 ? static_cast<size_t>(got) : 0);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name.empty() ? "another process" : name;
}

std::string own_name() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '?';
  return fmt::format("process {} on {}\n", ::getpid(), host);
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  return found;
}

void remove_quietly(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
}

}  // namespace

RunDirectory::~RunDirectory() {
  if (made_ && locked_ && !used()) remove_quietly(path_);
  if (lock_ >= 0) ::close(lock_);
}

void RunDirectory::claim() {
  std::error_code error;
  made_ = !fs::exists(path_, error);
  try {
    for (const fs::path& folder : {path_, events(), figures(), videos(), figures() / "fixed_noise"})
      make_directories(folder);
  } catch (const Error& failure) {
    throw usage_error(fmt::format("{}; give another --root or --name", failure.what()));
  }
  const fs::path file = path_ / "lock";
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0)
    throw usage_error(fmt::format("cannot write {}: {}; give another --root or --name", printable(file),
                                  system_reason(errno)));
  locked_ = ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
  if (!locked_ && errno != EWOULDBLOCK)
    throw usage_error(fmt::format("cannot lock {}: {}; keep runs on a disk that can", printable(file),
                                  system_reason(errno)));
  if (!locked_)
    throw usage_error(fmt::format("{} is training into {}; wait for it, or give another --name",
                                  holder(lock_), printable(path_)));
  const std::string name = own_name();
  if (::ftruncate(lock_, 0) != 0 || ::pwrite(lock_, name.data(), name.size(), 0) < 0)
    throw Error(fmt::format("cannot write {}: {}", printable(file), system_reason(errno)));
}

bool RunDirectory::used() const {
  std::error_code error;
  return fs::exists(config(), error) || !checkpoints().empty();
}

void RunDirectory::clear() {
  static const std::regex ours(
      R"(((slim_)?checkpoint_.*\.pt|best\.json|config\.json|stats\.jsonl|log\.txt)(\.\d+\.tmp)?)");
  for (const fs::path& entry : entries(path_))
    if (std::regex_match(entry.filename().string(), ours)) remove_quietly(entry);
  for (const fs::path& folder : {events(), figures(), videos(), path_ / "report"}) remove_quietly(folder);
  for (const fs::path& folder : {events(), figures(), videos(), figures() / "fixed_noise"})
    make_directories(folder);
}

fs::path RunDirectory::fixed_noise(uint64_t epoch) const {
  return figures() / "fixed_noise" / fmt::format("epoch_{:05}.png", epoch);
}

fs::path RunDirectory::checkpoint(uint64_t epoch, uint64_t batches) const {
  return path_ / (batches == 0 ? fmt::format("checkpoint_{}.pt", epoch)
                               : fmt::format("checkpoint_{}_batch_{}.pt", epoch, batches));
}

fs::path RunDirectory::slim_checkpoint(uint64_t epoch) const {
  return path_ / fmt::format("slim_checkpoint_{}.pt", epoch);
}

std::vector<CheckpointFile> RunDirectory::checkpoints() const {
  static const std::regex name(R"(checkpoint_(\d{1,18})(_batch_(\d{1,18}))?\.pt)");
  std::vector<CheckpointFile> found;
  for (const fs::path& entry : entries(path_)) {
    std::smatch match;
    const std::string file = entry.filename().string();
    if (!std::regex_match(file, match, name)) continue;
    found.push_back({entry, std::stoull(match[1]), match[3].matched ? std::stoull(match[3]) : 0});
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

void RunDirectory::forget_after(uint64_t epoch) const {
  static const std::regex name(R"((?:slim_)?checkpoint_(\d{1,18})(_batch_\d+)?\.pt)");
  for (const fs::path& entry : entries(path_)) {
    std::smatch match;
    const std::string file = entry.filename().string();
    if (!std::regex_match(file, match, name)) continue;
    const uint64_t number = std::stoull(match[1]);
    if (number > epoch || (number == epoch && match[2].matched)) remove_quietly(entry);
  }
  for (const fs::path& entry : entries(figures() / "fixed_noise"))
    if (entry > fixed_noise(epoch)) remove_quietly(entry);
  remove_quietly(path_ / "best.json");
}

void RunDirectory::prune(int64_t keep_last, std::optional<uint64_t> best) const {
  static const std::regex temporary(R"(.*\.(pt|json)\.\d+\.tmp)");
  int64_t whole = 0;
  bool newest = true;
  for (const CheckpointFile& file : checkpoints()) {
    const bool within = file.batches > 0;
    const bool kept = within ? newest : keep_last == 0 || whole < keep_last || file.epoch == best;
    if (!within) ++whole;
    newest = false;
    if (!kept) remove_quietly(file.path);
  }
  for (const fs::path& entry : entries(path_))
    if (std::regex_match(entry.filename().string(), temporary)) remove_quietly(entry);
}

}  // namespace nowhere
