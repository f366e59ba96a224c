#include "run/run_directory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

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

std::optional<CheckpointName> checkpoint_name(const fs::path& file) {
  return CheckpointName::parse(file.filename().string());
}

constexpr std::string_view kDamaged = ".damaged";

// Of a whole-file write that a crash cut short: "config.json.123.tmp"
bool is_temporary(std::string_view name) {
  constexpr std::string_view kTemporary = ".tmp";
  if (!name.ends_with(kTemporary)) return false;
  name.remove_suffix(kTemporary.size());
  const size_t digits = name.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < name.size() && name[digits] == '.';
}

// "config.json" of "config.json.123.tmp"; any other name as it is.
std::string_view final_name(std::string_view name) {
  if (!is_temporary(name)) return name;
  name = name.substr(0, name.rfind('.'));
  return name.substr(0, name.rfind('.'));
}

void remove_quietly(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
}

}  // namespace

RunDirectory::~RunDirectory() {
  if (made_ && locked_ && !used()) remove_quietly(path_);
}

void RunDirectory::claim() {
  std::error_code error;
  made_ = !fs::exists(path_, error);
  try {
    for (const fs::path& folder : {path_, events(), figures(), videos(), fixed_noise()})
      make_directories(folder);
  } catch (const Error& failure) {
    throw usage_error(fmt::format("{}; give another --root or --name", failure.what()));
  }
  const fs::path file = path_ / "lock";
  lock_ = Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock_.is_open())
    throw usage_error(fmt::format("cannot write {}: {}; give another --root or --name", printable(file),
                                  system_reason(errno)));
  locked_ = ::flock(lock_.number(), LOCK_EX | LOCK_NB) == 0;
  if (!locked_ && errno != EWOULDBLOCK)
    throw usage_error(fmt::format("cannot lock {}: {}; keep runs on a disk that can", printable(file),
                                  system_reason(errno)));
  if (!locked_)
    throw usage_error(fmt::format("{} is training into {}; wait for it, or give another --name",
                                  holder(lock_.number()), printable(path_)));
  const std::string name = own_name();
  if (::ftruncate(lock_.number(), 0) != 0 || ::pwrite(lock_.number(), name.data(), name.size(), 0) < 0)
    throw Error(fmt::format("cannot write {}: {}", printable(file), system_reason(errno)));
}

bool RunDirectory::claimed_before() const {
  std::error_code error;
  return fs::exists(path_ / "lock", error);
}

bool RunDirectory::used() const {
  std::error_code error;
  return fs::exists(config(), error) || !checkpoints().empty();
}

void RunDirectory::clear() {
  for (const fs::path& entry : entries(path_)) {
    const std::string name = entry.filename().string();
    const std::string_view meant = final_name(name);
    const bool ours = CheckpointName::parse(meant.substr(0, meant.find(kDamaged))) ||
                      meant == config().filename() || meant == stats().filename() ||
                      meant == log().filename() || meant == best().filename();
    if (ours) remove_quietly(entry);
  }
  for (const fs::path& folder : {events(), figures(), videos(), report()}) remove_quietly(folder);
  for (const fs::path& folder : {events(), figures(), videos(), fixed_noise()}) make_directories(folder);
}

fs::path RunDirectory::fixed_noise(uint64_t epoch) const {
  return fixed_noise() / fmt::format("epoch_{:05}.png", epoch);
}

fs::path RunDirectory::checkpoint(uint64_t epoch, uint64_t batches) const {
  return file({.epoch = epoch, .batches = batches});
}

fs::path RunDirectory::slim_checkpoint(uint64_t epoch) const {
  return file({.epoch = epoch, .slim = true});
}

std::vector<CheckpointName> RunDirectory::checkpoints() const {
  std::vector<CheckpointName> found;
  for (const fs::path& entry : entries(path_))
    if (const auto name = checkpoint_name(entry); name && !name->slim) found.push_back(*name);
  std::sort(found.rbegin(), found.rend());
  return found;
}

void RunDirectory::forget_after(uint64_t epoch) const {
  for (const fs::path& entry : entries(path_)) {
    const auto name = checkpoint_name(entry);
    if (name && (name->epoch > epoch || (name->epoch == epoch && name->within_epoch())))
      remove_quietly(entry);
  }
  for (const fs::path& entry : entries(fixed_noise()))
    if (entry > fixed_noise(epoch)) remove_quietly(entry);
  remove_quietly(best());
}

fs::path RunDirectory::set_aside(const CheckpointName& name) const {
  fs::path aside = file(name);
  aside += kDamaged;
  std::error_code error;
  for (int number = 2; fs::exists(aside, error); ++number)
    aside = file(name) += fmt::format("{}.{}", kDamaged, number);
  fs::rename(file(name), aside, error);
  if (error)
    throw Error(fmt::format("{} is damaged and cannot be renamed: {}; move it away", printable(file(name)),
                            system_reason(error.value())));
  return aside;
}

void RunDirectory::prune(int64_t keep_last, std::optional<uint64_t> best,
                         const CheckpointName& written) const {
  int64_t whole = 0;
  bool newest = true;
  for (const CheckpointName& name : checkpoints()) {
    const bool kept =
        name.within_epoch() ? newest : keep_last == 0 || whole < keep_last || name.epoch == best;
    if (!name.within_epoch()) ++whole;
    newest = false;
    if (!kept && name != written) remove_quietly(file(name));
  }
  for (const fs::path& entry : entries(path_))
    if (is_temporary(entry.filename().string())) remove_quietly(entry);
}

}  // namespace nowhere
